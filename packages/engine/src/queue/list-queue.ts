import type { Row } from "../store/database.ts";
import { leaseState } from "../store/runs/claim.ts";
import { workCounts } from "../store/runs/runs.ts";
import type { Store } from "../store/store.ts";
import { laneOf, type Offer, type QueuedRun, queuedOf, readOffers, readTexts } from "./queued-run.ts";

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

/** `knack queue --json`. */
export interface QueueReport {
  readonly waiting: readonly QueueEntry[];
  readonly running: readonly QueueEntry[];
  readonly failed: readonly QueueEntry[];
  readonly dead: readonly QueueEntry[];
  readonly workers: readonly WorkerReport[];
  /** How many there are; the lists have at most `limit` entries each. */
  readonly counts: Readonly<Record<"waiting" | "running" | "failed" | "dead", number>>;
}

export interface QueueEntry {
  readonly id: string;
  readonly skill: string;
  readonly task: string | null;
  readonly state: QueuedRun["state"];
  readonly worker: string | null;
  /** Why it waits, or failed. */
  readonly error: string | null;
  /** When it came into this state. */
  readonly since: string;
  readonly priority: number;
  readonly attempts: number;
  readonly run: string | null;
  readonly queued_by: string;
}

export interface WorkerReport {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly concurrency: number;
  readonly running: number;
  readonly tags: readonly string[];
  readonly skills: readonly string[];
  readonly started_at: string;
  readonly seen_at: string;
  /** It has not been seen for its lease: its runs are taken over. */
  readonly gone: boolean;
}

const KINDS = { waiting: "WAITING", running: "RUNNING", failed: "FAILED", dead: "DEAD" } as const;

export async function listQueue(store: Store, limit: number): Promise<QueueReport> {
  const { db } = store;
  const workers = await readWorkers(store);
  const live = workers.filter(({ gone }) => !gone);
  const { queued: counts } = await workCounts(db, store.now());
  const lists: Record<keyof typeof KINDS, QueueEntry[]> = { waiting: [], running: [], failed: [], dead: [] };
  for (const [kind, state] of Object.entries(KINDS) as [keyof typeof KINDS, string][]) {
    const rows = await db.all(
      `SELECT * FROM queued_runs WHERE state = '${state}' ORDER BY ${kind === "waiting" ? "priority DESC, turn, " : ""}queued_at LIMIT ?`,
      [limit],
    );
    lists[kind] = rows.map(queuedOf).map((run) => entryOf(run, live));
  }
  const running = await db.all(
    "SELECT worker_id, COUNT(*) AS runs FROM queued_runs WHERE state = 'RUNNING' GROUP BY worker_id",
  );
  const byWorker = new Map(running.map((row) => [row.worker_id, Number(row.runs)]));
  return {
    ...lists,
    workers: workers.map(({ offers, ...worker }) => ({
      ...worker,
      skills: takenBy(offers),
      running: byWorker.get(worker.id) ?? 0,
    })),
    counts,
  };
}

export function entryOf(run: QueuedRun, live: readonly LiveWorker[]): QueueEntry {
  const { id, skill, state, workerId, error, priority, attempts, runId } = run;
  return {
    id,
    skill,
    task: run.taskId === null || run.planId === null ? run.taskId : `${run.planId}/${run.taskId}`,
    state,
    worker: state === "RUNNING" ? workerId : null,
    error: state === "WAITING" ? waitingReason(run, live) : error && `${error.code}: ${error.message}`,
    since: (state === "RUNNING" ? run.startedAt : run.finishedAt) ?? run.queuedAt,
    priority,
    attempts,
    run: runId,
    queued_by: run.queuedBy,
  };
}

async function readWorkers(store: Store): Promise<(WorkerReport & LiveWorker)[]> {
  const rows = await store.db.all("SELECT * FROM workers ORDER BY started_at, worker_id");
  return rows.map((row) => ({
    ...workerOf(row),
    host: String(row.host),
    pid: Number(row.pid),
    concurrency: Number(row.concurrency),
    running: 0,
    skills: [],
    started_at: String(row.started_at),
    seen_at: String(row.seen_at),
    gone: leaseState({ holder: row.holder, leaseUntil: row.lease_until }, store) === "over",
  }));
}

/** A skill of which it has several versions is named once. */
function takenBy(offers: LiveWorker["offers"]): string[] {
  return [...new Set(offers.filter(({ not }) => not === null).map(({ skill }) => skill))].sort();
}

async function liveWorkers(store: Store): Promise<readonly LiveWorker[]> {
  return (await readWorkers(store)).filter(({ gone }) => !gone);
}

export async function describeQueued(store: Store, run: QueuedRun): Promise<QueueEntry> {
  return entryOf(run, run.state === "WAITING" ? await liveWorkers(store) : []);
}

export async function queuedOfPlan(store: Store, planId: string): Promise<QueueEntry[]> {
  const rows = await store.db.all(
    `SELECT * FROM queued_runs WHERE plan_id = ? AND task_id IS NOT NULL AND state IN ('WAITING', 'RUNNING', 'FAILED')`,
    [planId],
  );
  if (rows.length === 0) return [];
  const live = await liveWorkers(store);
  return rows.map(queuedOf).map((run) => entryOf(run, live));
}

export async function listEnded(store: Store, limit: number): Promise<QueueEntry[]> {
  const rows = await store.db.all(
    `SELECT * FROM queued_runs WHERE finished_at > '' AND state IN ('SUCCEEDED', 'CANCELLED')
     ORDER BY finished_at DESC LIMIT ?`,
    [limit],
  );
  return rows.map(queuedOf).map((run) => entryOf(run, []));
}

export async function reasonFor(store: Store, run: QueuedRun): Promise<string | null> {
  return waitingReason(run, await liveWorkers(store));
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
