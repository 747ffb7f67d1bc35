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
 * Searches and watches for the picker in a thread of its own: the first index takes seconds and a rescan a tenth of a
 * second, and keys must be handled at once meanwhile.
 */

const place = workerData as SearchPlace;
const env = process.env;
const project = findProject({ ...place, env });

const live = await LiveProject.open({
  ...place,
  env,
  trusted: () => isTrusted(project, { ...place, env }),
  refreshOnCall: true,
  searchInBackground: true,
});
prepare();
// From here on changes are reported; the picker reloads its catalog only when this one changed.
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
  const { results, truncated } = live.catalog.search(query, { limit: maxLimit, scope });
  return { ranked: results.map(({ skill, fits }) => ({ path: skill.path, fits })), truncated };
}

/** The first search builds the index; until it is complete the picker gets what names and descriptions say. */
function prepare(): void {
  live.catalog.search("", { limit: 1 });
  void live.catalog.searchReady?.then(() => say({ kind: "changed" }));
}

function say(message: FromSearch): void {
  parentPort?.postMessage(message);
}
