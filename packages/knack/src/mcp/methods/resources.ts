import type { McpServer } from "@modelcontextprotocol/server";
import type { Connection } from "../server/connection.ts";
import { guarded } from "../server/guarded.ts";
import type { ConnectionSkills } from "../skills-extension/skill-source.ts";
import { promptOf } from "./prompts.ts";

/** The protocol sends at most so many. */
const MAX_VALUES = 100;

/** Pages of resources, which the SDK's own list does not have; reading them is the extension's. */
export function serveResources(
  { server }: McpServer,
  connection: Connection,
  skills: ConnectionSkills,
): void {
  server.setRequestHandler("resources/list", ({ params }, ctx) =>
    guarded(async () => {
      await connection.offered(ctx);
      const { items, nextCursor } = await skills.resources(params?.cursor);
      return { resources: [...items], ...(nextCursor === undefined ? {} : { nextCursor }) };
    }),
  );

  server.setRequestHandler("completion/complete", ({ params: { ref, argument } }) =>
    guarded(async () => {
      if (ref.type === "ref/prompt") {
        // What a skill works with is in no list.
        await promptOf(connection, ref.name);
        return completion([]);
      }
      const names = argument.name === "path" ? await skills.names(argument.value.replace(/\/.*/s, "")) : [];
      const paths = names.map((name) => `${name}/SKILL.md`);
      return completion(paths.filter((path) => path.startsWith(argument.value)));
    }),
  );
}

function completion(all: readonly string[]) {
  const values = all.slice(0, MAX_VALUES);
  return { completion: { values, total: all.length, hasMore: all.length > values.length } };
}
