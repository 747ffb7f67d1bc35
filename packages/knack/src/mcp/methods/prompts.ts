import type { SkillMetadata } from "@knack/core";
import { compareText, quote } from "@knack/core/internal";
import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Connection } from "../server/connection.ts";
import { guarded } from "../server/guarded.ts";
import { waiting } from "../server/not-found.ts";
import { pageOf } from "../server/paging.ts";
import { uniqueNames } from "../server/unique-names.ts";
import { argumentsFor, typedText } from "./prompt-arguments.ts";

/** A prompt for every skill that a person can use: most clients show them as slash commands. */
export function servePrompts({ server }: McpServer, connection: Connection): void {
  server.setRequestHandler("prompts/list", ({ params }, ctx) =>
    guarded(async () => {
      const declared = argumentsFor(connection.client(ctx));
      const named = [...(await namedSkills(connection))].sort(([a], [b]) => compareText(a, b));
      const { items, nextCursor } = pageOf(named, params?.cursor, ([name]) => name);
      const prompts = items.map(([name, skill]) => ({
        name,
        description: describe(skill),
        arguments: declared,
      }));
      return { prompts, ...(nextCursor === undefined ? {} : { nextCursor }) };
    }),
  );

  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given } }, ctx) =>
    guarded(async () => {
      const typed = typedText(given, connection.client(ctx));
      const skill = await promptOf(connection, name);
      const { status, text } = await connection.session.use({ path: skill.path }, typed);
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
      `There is no prompt ${quote(name)}; prompts/list lists them all.${waiting(connection)}`,
    );
  return skill;
}

/** Whatever else the one skill is referred to by: an id, `scope:name`, a path. */
function referredTo(
  { session: { catalog } }: Connection,
  name: string,
  offered: readonly SkillMetadata[],
): SkillMetadata | undefined {
  const paths = new Set(catalog.candidates(name).map(({ skill }) => skill.path));
  const [one, ...others] = offered.filter(({ path }) => paths.has(path));
  if (others.length > 0)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${quote(name)} could mean ${others.length + 1} skills; prompts/list has a name for each of them.`,
    );
  return one;
}

/** A skill that calls a tool has no text for a model; getting a prompt must not do anything. */
async function namedSkills(connection: Connection): Promise<Map<string, SkillMetadata>> {
  // A prompt is got from the conversation's snapshot.
  await connection.refresh();
  const skills = await connection.session.visibleTo("person");
  return uniqueNames(
    skills.filter(({ invocationMode }) => invocationMode !== "tool_dispatch"),
    ({ name }) => name,
    ({ path }) => path,
  );
}
