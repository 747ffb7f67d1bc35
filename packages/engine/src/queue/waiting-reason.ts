import type { Row } from "../store/database.ts";
import { laneOf } from "./lane.ts";
import type { QueuedRun } from "./queued-run.ts";
import { type Offer, readOffers, readTexts } from "./read-columns.ts";

export interface LiveWorker {
  readonly id: string;
  readonly tags: readonly string[];
  readonly offers: readonly Offer[];
}

export function workerOf(row: Row): LiveWorker {
  return {
    id: String(row.worker_id),
    tags: readTexts(String(row.tags_json)),
    offers: readOffers(String(row.skills_json)),
  };
}

/** Why nobody runs it now, as a sentence that says what to do; `null` if a worker will. */
export function waitingReason(run: QueuedRun, workers: readonly LiveWorker[]): string | null {
  const { skill, tags, lane } = run;
  const { digest } = run.request;
  if (workers.length === 0) return 'No worker is running. Start one: "knack worker".';
  const having = workers.filter(({ offers }) => offers.some((offer) => offer.skill === skill));
  if (having.length === 0) return `No worker has the skill ${skill}.`;
  const same = having.flatMap((worker) =>
    worker.offers
      .filter((offer) => offer.skill === skill && laneOf({ skill, digest: offer.digest, tags }) === lane)
      .map(({ not }) => ({ worker, not })),
  );
  if (same.length === 0)
    return `No worker has this version of ${skill} (${digest.slice(0, 12)}). Update the project on a worker, then run "knack trust" there.`;
  const ready = same.filter(({ not }) => not === null);
  if (ready.length === 0) {
    if (same.some(({ not }) => not === "trust"))
      return `No worker has approved this version of ${skill}. Run "knack trust" on a worker.`;
    if (same.some(({ not }) => not === "policy")) return `The policy of every worker denies ${skill}.`;
    return `No worker takes ${skill}: all were started with --skills and without it.`;
  }
  const lacking = ready.map(({ worker }) => tags.filter((tag) => !worker.tags.includes(tag)));
  if (lacking.some((missing) => missing.length === 0)) return null;
  const fewest = lacking.sort((a, b) => a.length - b.length)[0] ?? [];
  return `No worker with the tag${fewest.length > 1 ? "s" : ""} ${fewest.join(", ")}.`;
}
