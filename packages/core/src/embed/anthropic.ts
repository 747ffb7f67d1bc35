import { type Conversation, type SkillQuestion, untold } from "./skills.ts";

/** Skills for the tool runner of the Anthropic SDK: `client.beta.messages.toolRunner({ …, ...anthropic(talk) })`. */

interface RunnableTool {
  readonly type: "custom";
  readonly name: string;
  readonly description: string;
  readonly input_schema: { type: "object"; [key: string]: unknown };
  readonly run: (
    input: unknown,
    context?: { readonly signal?: AbortSignal | null | undefined },
  ) => Promise<string>;
  readonly parse: (input: unknown) => unknown;
}

export function anthropic(
  { instructions, tools }: Conversation,
  /** Asks a person; the runner has no way of its own. Without it, `confirm` of `openSkills` is asked. */
  ask?: (question: SkillQuestion) => Promise<boolean>,
): { readonly system?: string; readonly tools: RunnableTool[] } {
  const made = tools.map(
    ({ name, description, inputSchema, question, execute }): RunnableTool => ({
      type: "custom",
      name,
      description,
      input_schema: { ...inputSchema, type: "object" },
      parse: (input) => input,
      run: async (input, context) => {
        try {
          const asked = ask && (await question(input));
          const approved = asked && (await ask(asked));
          return await execute(input, { approved, signal: context?.signal ?? undefined });
        } catch (error) {
          throw untold(error, context?.signal);
        }
      },
    }),
  );
  return { ...(instructions && { system: instructions }), tools: made };
}
