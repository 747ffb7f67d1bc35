import { type Row, rowsOf } from "../store/database.ts";
import { leaseState } from "../store/runs/claim.ts";
import { workCounts } from "../store/runs/runs.ts";
import { type Store, taskName } from "../store/store.ts";
import { findQueuedRuns, laneOf, type Offer, type QueuedRun, readOffers, readTexts } from "./queued-run.ts";

export interface LiveWorker {
  readonly tags: readonly string[];
  readonly offers: readonly Offer[];
}

export function offeredBy({ tags_json, skills_json }: Row): LiveWorker {
  return { tags: readTexts(tags_json), offers: readOffers(skills_json) };
}

/** Why nobody runs it now, as a sentence that says what to do; `null` if a worker will. */
export function waitingReason(run: QueuedRun, workers: readonly LiveWorker[]): string | null {
  const { skill, tags, lane } = run;
  const { digest } = run.request;
  if (workers.length === 0) return 'No worker is running. Start one: "knack worker".';
  const offers = workers.flatMap((worker) => worker.offers.map((offer) => ({ ...offer, worker })));
  const having = offers.filter((offer) => offer.skill === skill);
  if (having.length === 0) return `No worker has the skill ${skill}.`;
  const same = having.filter((offer) => laneOf({ skill, digest: offer.digest, tags }) === lane);
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

/** `knack queue --json`. */
export type QueueReport = Awaited<ReturnType<typeof listQueue>>;
export type QueueEntry = ReturnType<typeof entryOf>;
export type WorkerReport = QueueReport["workers"][number];

/** The lists have at most `limit` entries each; `counts` says how many there are. */
export async function listQueue(store: Store, limit: number) {
  const { db } = store;
  const workers = await readWorkers(store);
  const live = workers.filter(({ gone }) => !gone);
  const { queued: counts } = await workCounts(db, store.now());
  const list = async (state: string, order = "queued_at"): Promise<QueueEntry[]> => {
    const runs = await findQueuedRuns(db, `WHERE state = '${state}' ORDER BY ${order} LIMIT ?`, [limit]);
    return runs.map((run) => entryOf(run, live));
  };
  const running = await db.all(
    "SELECT worker_id, COUNT(*) AS runs FROM queued_runs WHERE state = 'RUNNING' GROUP BY worker_id",
  );
  const byWorker = new Map(running.map((row) => [row.worker_id, Number(row.runs)]));
  return {
    waiting: await list("WAITING", "priority DESC, turn, queued_at"),
    running: await list("RUNNING"),
    failed: await list("FAILED"),
    dead: await list("DEAD"),
    workers: workers.map(({ offers, ...worker }) => ({
      ...worker,
      // A skill of which it has several versions is named once.
      skills: [...new Set(offers.filter(({ not }) => not === null).map(({ skill }) => skill))].sort(),
      running: byWorker.get(worker.id) ?? 0,
    })),
    counts,
  };
}

export function entryOf(run: QueuedRun, live: readonly LiveWorker[]) {
  const { id, skill, state, workerId, error, priority, attempts, runId } = run;
  return {
    id,
    skill,
    task: taskName(run),
    state,
    worker: state === "RUNNING" ? workerId : null,
    /** Why it waits, or failed. */
    error: state === "WAITING" ? waitingReason(run, live) : error && `${error.code}: ${error.message}`,
    /** When it came into this state. */
    since: (state === "RUNNING" ? run.startedAt : run.finishedAt) ?? run.queuedAt,
    priority,
    attempts,
    run: runId,
    queued_by: run.queuedBy,
  };
}

/** All workers; `gone`: it has not been seen for its lease, and its runs are taken over. */
async function readWorkers(store: Store) {
  type Found = Record<"id" | "host" | "started_at" | "seen_at" | "holder" | "leaseUntil", string> &
    Record<"pid" | "concurrency", number> &
    Row;
  const rows = await rowsOf<Found>(
    store.db,
    `SELECT worker_id AS id, host, pid, concurrency, started_at, seen_at, skills_json, tags_json, holder,
       lease_until AS "leaseUntil" FROM workers ORDER BY started_at, worker_id`,
  );
  return rows.map((row) => {
    const { id, host, pid, concurrency, started_at, seen_at } = row;
    const gone = leaseState(row, store) === "over";
    return { id, host, pid, concurrency, ...offeredBy(row), started_at, seen_at, gone };
  });
}

export async function liveWorkers(store: Store): Promise<readonly LiveWorker[]> {
  return (await readWorkers(store)).filter(({ gone }) => !gone);
}

export async function describeQueued(store: Store, run: QueuedRun): Promise<QueueEntry> {
  return entryOf(run, run.state === "WAITING" ? await liveWorkers(store) : []);
}

export async function queuedOfPlan(store: Store, planId: string): Promise<QueueEntry[]> {
  const runs = await findQueuedRuns(
    store.db,
    "WHERE plan_id = ? AND task_id IS NOT NULL AND state IN ('WAITING', 'RUNNING', 'FAILED')",
    [planId],
  );
  if (runs.length === 0) return [];
  const live = await liveWorkers(store);
  return runs.map((run) => entryOf(run, live));
}

/** The last runs that succeeded or were cancelled. */
export async function listEnded({ db }: Store, limit: number): Promise<QueueEntry[]> {
  const runs = await findQueuedRuns(
    db,
    "WHERE finished_at > '' AND state IN ('SUCCEEDED', 'CANCELLED') ORDER BY finished_at DESC LIMIT ?",
    [limit],
  );
  return runs.map((run) => entryOf(run, []));
}

/** How many runs ended per minute in the last hour, the oldest minute first. */
export async function throughput(store: Store): Promise<{ readonly at: string; readonly ended: number }[]> {
  const now = Math.floor(store.now().getTime() / 60_000);
  const minutes = Array.from({ length: 60 }, (_, minute) =>
    new Date((now - 59 + minute) * 60_000).toISOString(),
  );
  const rows = await store.db.all(
    `SELECT substr(finished_at, 1, 16) AS minute, COUNT(*) AS ended FROM queued_runs WHERE finished_at >= ?
     GROUP BY substr(finished_at, 1, 16)`,
    [minutes[0] ?? ""],
  );
  const ended = new Map(rows.map((row) => [String(row.minute), Number(row.ended)]));
  return minutes.map((at) => ({ at, ended: ended.get(at.slice(0, 16)) ?? 0 }));
}
