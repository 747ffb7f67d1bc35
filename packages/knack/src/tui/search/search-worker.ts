import { parentPort, workerData } from "node:worker_threads";
import { isTrusted } from "@knack/core";
import { findProject, LiveProject } from "@knack/core/internal";
import {
  type FromSearch,
  markOf,
  type SearchPlace,
  type SearchQuery,
  type SearchReply,
  type ToSearch,
} from "./search-messages.ts";

/**
 * Searches and watches for the picker. In a thread of its own, because the first index of many skills takes seconds and
 * every look at all files a tenth of one, and a key that is pressed meanwhile is answered at once.
 */

const place = workerData as SearchPlace;
const env = process.env;
const project = findProject({ ...place, env });

const live = await LiveProject.open({
  ...place,
  env,
  trusted: () => isTrusted(project, { ...place, env }),
  refreshOnCall: true,
});
prepare();
// Changes are told from here on; the picker's own catalog is only read again when this one has changed.
live.follow(() => {
  prepare();
  say({ kind: "changed" });
});
say({ kind: "ready", mark: markOf(live.catalog) });

parentPort?.on("message", async (message: ToSearch) => {
  if (message.kind === "search") say({ kind: "found", found: search(message.asked) });
  else await live.refresh();
});

function search({ query, scope }: SearchQuery): SearchReply {
  const { maxLimit } = live.catalog.config.skills.search;
  const { results, truncated } = live.catalog.search(query, { limit: maxLimit, scope, all: true });
  return { ranked: results.map(({ skill, fits }) => ({ path: skill.path, fits })), truncated };
}

/** The index is made by the first search. */
function prepare(): void {
  live.catalog.search("", { limit: 1 });
}

function say(message: FromSearch): void {
  parentPort?.postMessage(message);
}
