import { run } from "../measure.ts";
import type { Script } from "../model/conversation.ts";
import { knack } from "../project.ts";
import type { Way } from "../way.ts";
import type { Check } from "./check.ts";

/** In a project that is not trusted, a search that finds nothing says what waits and what to do. */
export async function checkWaiting(way: Way): Promise<Check> {
  knack(way.folder, ["trust", "--revoke"]);
  let found = "";
  function* script(): Script {
    found = yield { tool: "skill_search", args: { query: "draft release notes" } };
    return "Done.";
  }
  await run(way, script(), way.client.args("Use the skills of this project."));
  knack(way.folder, ["trust", "--yes"]);
  return { name: "untrusted", ok: found.includes("knack trust"), detail: found.slice(0, 200) };
}
