import type { JsonSchema } from "../access/tool.ts";
import { KnackError } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";
import type { Conversation } from "./skills.ts";

/** Skills for the OpenAI Agents SDK (`@openai/agents`): `new Agent({ name, ...openaiAgents(talk) })`. */

interface AgentTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own type of a schema is made with it
  readonly parameters: any;
  readonly strict: false;
  /** Whether the run stops with an interruption that a person approves or rejects. */
  readonly needsApproval: (context: unknown, input: unknown) => Promise<boolean>;
  readonly isEnabled: () => Promise<boolean>;
  readonly invoke: (
    context: unknown,
    input: string,
    details?: { readonly signal?: AbortSignal },
  ) => Promise<string>;
}

export function openaiAgents({ instructions, tools }: Conversation): {
  readonly instructions: string;
  readonly tools: AgentTool[];
} {
  const made = tools.map(
    ({ name, description, inputSchema, question, execute }): AgentTool => ({
      type: "function",
      name,
      description,
      parameters: { required: [], ...inputSchema } satisfies JsonSchema,
      strict: false,
      needsApproval: async (_context, input) => (await question(input)) !== undefined,
      isEnabled: async () => true,
      // Called only when no approval was needed, or it was given.
      invoke: async (_context, input, details) => {
        try {
          return await execute(parseJson(input), { approved: true, signal: details?.signal });
        } catch (error) {
          if (error instanceof KnackError) return `Error: ${error.message}`;
          throw error;
        }
      },
    }),
  );
  return { instructions, tools: made };
}
