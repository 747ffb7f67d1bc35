import type { SkillMetadata } from "@knack/core";
import { compareText, quote } from "@knack/core/text";
import {
  type McpServer,
  type PromptArgument,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { callAsking } from "./asking.ts";
import type { Connection } from "./connection.ts";
import { guarded, waiting } from "./errors.ts";
import { pageOf, suffixed, uniqueNames } from "./lists.ts";

/** A prompt for every skill that a person can use: most clients show them as slash commands. */
export function servePrompts({ server }: McpServer, connection: Connection): void {
  server.setRequestHandler("prompts/list", ({ params }, ctx) =>
    guarded(async () => {
      const declared = argumentsFor(connection.client(ctx));
      const named = [...(await namedSkills(connection))].sort(([a], [b]) => compareText(a, b));
      const { items, ...next } = pageOf(named, params?.cursor, ([name]) => name);
      const prompts = items.map(([name, skill]) => ({
        name,
        description: describe(skill),
        arguments: declared,
      }));
      return { prompts, ...next };
    }),
  );

  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given } }, ctx) =>
    guarded(async () => {
      const skill = await promptOf(connection, name);
      const forTool = skill.invocationMode === "tool_dispatch";
      const typed = typedText(given, connection.client(ctx), forTool);
      // Leave is the person's own who asks for it, but the skill's tool may need a confirmation.
      const asked = { method: `prompts/get ${name}`, params: given };
      const used = await callAsking(connection, ctx, asked, (means) =>
        connection.session.use({ path: skill.path }, typed, { by: connection.by(ctx), ...means }),
      );
      if ("question" in used) return used.question;
      const { status, text } = used.result;
      if (status === "error") throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
      return { description: describe(skill), messages: [{ role: "user", content: { type: "text", text } }] };
    }),
  );
}

/** Some skills have none, and a client shows it beside the name. */
function describe({ name, description }: SkillMetadata): string {
  return description || `The skill ${name}.`;
}

/** Throws where there is none. */
export async function promptOf(connection: Connection, name: string): Promise<SkillMetadata> {
  const named = await namedSkills(connection);
  const skill = named.get(name) ?? referredTo(connection, name, [...named.values()]);
  if (!skill)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no prompt ${quote(name)}; prompts/list lists them all.${waiting(connection.session)}`,
    );
  return skill;
}

/** Whatever else the one skill is referred to by: an id, `scope:name`, a path. */
function referredTo(
  { session: { catalog } }: Connection,
  name: string,
  offered: readonly SkillMetadata[],
): SkillMetadata | undefined {
  const paths = new Set(catalog.candidates(name, { exact: true }).map(({ skill }) => skill.path));
  const [one, ...others] = offered.filter(({ path }) => paths.has(path));
  if (others.length > 0)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${quote(name)} could mean ${others.length + 1} skills; prompts/list has a name for each of them.`,
    );
  return one;
}

/** By their names, and by their commands; a name comes before a command that is spelled like it. */
async function namedSkills(connection: Connection): Promise<Map<string, SkillMetadata>> {
  // A prompt is got from the conversation's snapshot.
  await connection.refresh();
  const visible = await connection.session.visibleTo("person");
  const skills = visible.filter(({ userInvocable }) => userInvocable !== false);
  const named = uniqueNames(
    skills,
    ({ name }) => name,
    ({ path }) => path,
  );
  for (const skill of skills) {
    const { command, path } = skill;
    if (command === undefined || named.get(command) === skill) continue;
    named.set(named.has(command) ? suffixed(command, path, named) : command, skill);
  }
  return named;
}

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

/** The text that the user typed, from whichever of the declared arguments came. Throws where it is for a tool and may be cut. */
export function typedText(
  given: Readonly<Record<string, string>> = {},
  client = "",
  forTool = false,
): string {
  const declared = argumentsFor(client).map(({ name }) => name);
  const typed = declared.map((name) => given[name]);
  const last = typed.findLastIndex((word) => word !== undefined);
  const text = typed
    .slice(0, last + 1)
    .map((word) => word ?? "")
    .join(" ");
  const isFull = declared.length > 1 && last === declared.length - 1;
  if (!isFull) return text;
  const limit = `The client passes ${declared.length} words at most`;
  if (forTool)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${limit}, so some may be missing, and the skill calls a tool with them. Use fewer words.`,
    );
  return `${text}\n(${limit}: ask the user for the rest.)`;
}
