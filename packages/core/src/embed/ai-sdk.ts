import { type Conversation, untold } from "./skills.ts";

/** Skills for the AI SDK (`ai`): `new ToolLoopAgent({ model, ...aiSdk(talk) })`, or the same for `generateText`. */

interface AiTool {
  readonly description: string;
  // biome-ignore lint/suspicious/noExplicitAny: its key is a symbol that only the SDK's types have
  readonly inputSchema: any;
  /** Whether the SDK stops and waits for a person's answer. */
  readonly needsApproval: (input: unknown) => Promise<boolean>;
  readonly execute: (
    input: unknown,
    options: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<string>;
}

/** The SDK's mark of a schema, so that the SDK is not a dependency. */
const SCHEMA = Symbol.for("vercel.ai.schema");

export function aiSdk({ instructions, tools }: Conversation): {
  readonly instructions: string | undefined;
  readonly tools: Record<string, AiTool>;
} {
  const made = tools.map(({ name, description, inputSchema, question, execute }): [string, AiTool] => [
    name,
    {
      description,
      inputSchema: { [SCHEMA]: true, _type: undefined, jsonSchema: inputSchema, validate: undefined },
      needsApproval: async (input) => (await question(input)) !== undefined,
      // Called only when no approval was needed, or it was given.
      execute: (input, { abortSignal }) =>
        execute(input, { approved: true, signal: abortSignal }).catch((error) => {
          throw untold(error, abortSignal);
        }),
    },
  ]);
  return { instructions: instructions || undefined, tools: Object.fromEntries(made) };
}
