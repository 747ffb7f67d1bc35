import type { PromptArgument } from "@modelcontextprotocol/server";

/**
 * How the text after a slash command gets here. One declaration for all would lose text; measured with a server that echoes
 * what it gets (`npm run test:agents`, November 2026):
 *
 * - Claude Code 2.1.325 splits the text at spaces and gives one word to each declared argument, the rest to none: it gets an
 *   argument for each word. It refuses the bare command where one is required.
 * - Gemini CLI 0.61.0 gives text to required arguments alone: all of it to a single one, or an empty text.
 * - Qwen Code 0.24.4 and opencode 1.18.33 give all of it to a single optional argument; Qwen refuses the bare command where
 *   it is required. Others ask the user for each argument.
 */
const DECLARATIONS: readonly { readonly client: RegExp; readonly declared: readonly PromptArgument[] }[] = [
  { client: /^claude-code/i, declared: words(64) },
  { client: /^gemini-cli/i, declared: [argument(true)] },
];

const OTHERS = [argument(false)];

function argument(required: boolean): PromptArgument {
  return { name: "arguments", description: "Arguments for the skill, as one text.", required };
}

function words(count: number): PromptArgument[] {
  const rest = Array.from({ length: count - 1 }, (_, place) => ({ name: `word${place + 2}` }));
  return [argument(false), ...rest];
}

/** The arguments that a prompt declares to this client. */
export function argumentsFor(client: string): PromptArgument[] {
  return [...(DECLARATIONS.find((one) => one.client.test(client))?.declared ?? OTHERS)];
}

/** The text that the user typed, from whichever of the declared arguments came. */
export function typedText(given: Readonly<Record<string, string>> = {}, client = ""): string {
  const declared = argumentsFor(client).map(({ name }) => name);
  const typed = declared.map((name) => given[name]);
  const last = typed.findLastIndex((word) => word !== undefined);
  const text = typed
    .slice(0, last + 1)
    .map((word) => word ?? "")
    .join(" ");
  const isFull = declared.length > 1 && last === declared.length - 1;
  return isFull
    ? `${text}\n(The client passes ${declared.length} words at most: ask the user for the rest.)`
    : text;
}
