import { parentPort, workerData } from "node:worker_threads";
import { type Catalog, isTrusted, openCatalog } from "@knack/core";
import { findProject } from "@knack/core/internal";
import {
  type Found,
  type FromSearch,
  markOf,
  type SearchPlace,
  type SearchQuery,
  type ToSearch,
} from "./search-messages.ts";

/**
 * Searches and watches for the picker. In a thread of its own, because the first index of many skills takes seconds and
 * every look at all files a tenth of one, and a key that is pressed meanwhile is answered at once.
 */

/** So rarely, because changes are heard; this is for file systems that do not tell. */
const POLL_MS = 10_000;

const place = workerData as SearchPlace;
const env = process.env;
const project = findProject({ ...place, env });
const trusted = (): boolean => isTrusted(project, { ...place, env });

const first = await openCatalog({ ...place, env, trusted });
let catalog: Catalog = first;
prepare();
say({ kind: "ready", mark: markOf(first) });

parentPort?.on("message", async (message: ToSearch) => {
  if (message.kind === "search") say({ kind: "found", found: search(message.asked) });
  else await reload();
});
for await (const _ of first.watch({ pollMs: POLL_MS })) {
  // What the watcher gives has the configuration of the start; switches may have changed since.
  await reload();
  say({ kind: "changed" });
}

function search({ query, scope }: SearchQuery): Found {
  const { maxLimit } = catalog.config.skills.search;
  const { results, truncated } = catalog.search(query, { limit: maxLimit, scope, all: true });
  return { ranked: results.map(({ skill, fits }) => ({ path: skill.path, fits })), truncated };
}

async function reload(): Promise<void> {
  catalog = await catalog.reload();
  prepare();
}

/** The index is made by the first search. */
function prepare(): void {
  catalog.search("", { limit: 1 });
}

function say(message: FromSearch): void {
  parentPort?.postMessage(message);
}
