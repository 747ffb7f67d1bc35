import type { JsonSchema } from "../access/tool.ts";
import { KnackError } from "../shared/errors.ts";
import { type Conversation, type SkillQuestion, untold } from "./skills.ts";

/** Skills for LangChain: `createAgent({ model, ...langchain(talk, { tool, interrupt }) })`. */

interface LangChain<Tool> {
  /** Of `@langchain/core/tools` or `langchain`. */
  readonly tool: (
    // biome-ignore lint/suspicious/noExplicitAny: the input's type follows from the schema, which has none here
    run: (input: any, config: { readonly signal?: AbortSignal }) => Promise<string>,
    fields: { name: string; description: string; schema: never },
  ) => Tool;
  /** Of `@langchain/langgraph`: stops the graph with a question. Without it, `confirm` of `openSkills` is asked. */
  readonly interrupt?: (question: SkillQuestion) => unknown;
}

export function langchain<Tool>(
  { instructions, tools }: Conversation,
  { tool, interrupt }: LangChain<Tool>,
): { readonly systemPrompt: string; readonly tools: Tool[] } {
  const made = tools.map(({ name, description, inputSchema, question, execute }) =>
    tool(
      async (input, { signal }) => {
        const asked = interrupt && (await question(input));
        const approved = asked && interrupt(asked) === true;
        try {
          return await execute(input, { approved, signal });
        } catch (error) {
          if (error instanceof KnackError) return `Error: ${error.message}`;
          throw untold(error, signal);
        }
      },
      { name, description, schema: inputSchema as JsonSchema as never },
    ),
  );
  return { systemPrompt: instructions, tools: made };
}
