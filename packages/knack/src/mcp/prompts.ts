import type { SkillMetadata } from "@knack/core";
import { compareText, quote } from "@knack/core/text";
import {
  type ListPromptsResult,
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
    guarded(async () => (await listedPrompts(connection, connection.client(ctx), params?.cursor)).result),
  );

  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given } }, ctx) =>
    guarded(async () => {
      const skill = await promptOf(connection, name);
      const forTool = skill.invocationMode === "tool_dispatch";
      const client = connection.client(ctx);
      const typed = typedText(given, client, forTool);
      // Leave is the person's own who asks for it, but the skill's tool may need a confirmation.
      const asked = { method: `prompts/get ${name}`, params: given };
      const used = await callAsking(connection, ctx, asked, (means) =>
        connection.session.use({ path: skill.path }, typed, { by: connection.by(ctx), ...means }),
      );
      if ("question" in used) return used.question;
      const { status, text } = used.result;
      if (status === "error") throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
      const read = `${text}${typed === "" || forTool ? "" : besideText(client)}`;
      return {
        description: describe(skill),
        messages: [{ role: "user", content: { type: "text", text: read } }],
      };
    }),
  );
}

/** One page of prompts, and the skills that it names. */
export async function listedPrompts(
  connection: Connection,
  client: string,
  cursor?: string,
): Promise<{ readonly result: ListPromptsResult; readonly skills: readonly SkillMetadata[] }> {
  const named = [...(await namedSkills(connection))].sort(([a], [b]) => compareText(a, b));
  const { items, ...next } = pageOf(named, cursor, ([name]) => name);
  const prompts = items.map(([name, skill]) => ({
    name,
    description: describe(skill),
    arguments: argumentsFor(client, skill.invocationMode === "tool_dispatch"),
  }));
  return { result: { prompts, ...next }, skills: items.map(([, skill]) => skill) };
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
 * How the text after a slash command gets here, measured with a server that echoes what it gets (`npm run test:agents`, November
 * 2026):
 *
 * - Claude Code 2.1.325 splits the text at spaces and gives one word to each declared argument, the rest to none. It shows all
 *   names in its menu, and refuses the bare command where an argument is required. But the model reads the whole text besides,
 *   as `<command-args>`, so one argument loses nothing; only a tool, which reads no such thing, needs one for each word.
 * - Gemini CLI 0.61.0 gives text to required arguments alone: all of it to a single one, or an empty text.
 * - Qwen Code 0.24.4 and opencode 1.18.33 give all of it to a single optional argument; Qwen refuses the bare command where
 *   it is required. Others ask the user for each argument.
 */
const DECLARATIONS: readonly Declaration[] = [
  {
    client: /^claude-code/i,
    declared: [argument(false)],
    ofTool: words(64),
    beside:
      "\n\n(Your user may have typed more than one word after the command: the arguments are all of <command-args> above.)",
  },
  { client: /^gemini-cli/i, declared: [argument(true)] },
];

interface Declaration {
  readonly client: RegExp;
  readonly declared: readonly PromptArgument[];
  /** Where a tool gets the text. */
  readonly ofTool?: readonly PromptArgument[];
  /** Where the rest is. */
  readonly beside?: string;
}

const OTHERS: Omit<Declaration, "client"> = { declared: [argument(false)] };

function declarationFor(client: string): Omit<Declaration, "client"> {
  return DECLARATIONS.find((one) => one.client.test(client)) ?? OTHERS;
}

function argument(required: boolean): PromptArgument {
  return { name: "arguments", description: "Arguments for the skill, as one text.", required };
}

function words(count: number): PromptArgument[] {
  const rest = Array.from({ length: count - 1 }, (_, place) => ({ name: `${place + 2}` }));
  return [argument(false), ...rest];
}

/** The arguments that a prompt declares to this client. */
export function argumentsFor(client: string, forTool = false): PromptArgument[] {
  const { declared, ofTool } = declarationFor(client);
  return [...((forTool && ofTool) || declared)];
}

/** What a model is told where this client passes only a part of what was typed. */
export function besideText(client: string): string {
  return declarationFor(client).beside ?? "";
}

/** The text that the user typed, from whichever of the declared arguments came. Throws where it is for a tool and may be cut. */
export function typedText(
  given: Readonly<Record<string, string>> = {},
  client = "",
  forTool = false,
): string {
  const declared = argumentsFor(client, forTool).map(({ name }) => name);
  const typed = declared.map((name) => given[name]);
  const last = typed.findLastIndex((word) => word !== undefined);
  if (declared.length > 1 && last === declared.length - 1)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The client passes ${declared.length} words at most, so some may be missing, and the skill calls a tool with them. Use fewer words.`,
    );
  return typed
    .slice(0, last + 1)
    .map((word) => word ?? "")
    .join(" ");
}
