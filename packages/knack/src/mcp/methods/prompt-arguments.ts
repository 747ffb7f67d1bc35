import type { PromptArgument } from "@modelcontextprotocol/server";

/**
 * How the text after a slash command gets here. Clients differ, so that one declaration would lose text in some of them:
 *
 * - Claude Code splits the text at spaces and gives one word to each declared argument, the rest to none
 *   (anthropics/claude-code issues 14210 and 70284). So it gets an argument for each word.
 * - Gemini CLI (McpPromptLoader.parseArgs, August 2026) gives the words to required arguments alone; to a single required one it
 *   gives all of them, or an empty text. Qwen Code is made from it.
 * - opencode gives the last argument all that is left, VS Code and others ask for each argument: one optional argument.
 */
const DECLARATIONS: readonly { readonly client: RegExp; readonly declared: readonly PromptArgument[] }[] = [
  { client: /^claude-code/i, declared: words(64) },
  { client: /^(?:gemini-cli|qwen)/i, declared: [argument(true)] },
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
