import type { Database } from "../store/database.ts";
import { leaseState } from "../store/runs/holder.ts";
import type { Store } from "../store/store.ts";
import { type QueuedRun, queuedOf } from "./queued-run.ts";
import { type LiveWorker, waitingReason, workerOf } from "./waiting-reason.ts";

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
  /** `plan/task`. */
  readonly task: string | null;
  readonly state: QueuedRun["state"];
  /** The worker that runs it. */
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
  /** The skills that it takes. */
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
  const counts = { waiting: 0, running: 0, failed: 0, dead: 0 };
  const lists: Record<keyof typeof KINDS, QueueEntry[]> = { waiting: [], running: [], failed: [], dead: [] };
  for (const [kind, state] of Object.entries(KINDS) as [keyof typeof KINDS, string][]) {
    counts[kind] = await countOf(db, state);
    const rows = await db.all(
      `SELECT * FROM queued_runs WHERE state = '${state}' ORDER BY ${kind === "waiting" ? "priority DESC, turn, " : ""}queued_at LIMIT ?`,
      [limit],
    );
    lists[kind] = rows.map(queuedOf).map((run) => entryOf(run, live));
  }
  const byWorker = Map.groupBy(
    await db.all("SELECT worker_id FROM queued_runs WHERE state = 'RUNNING'"),
    (row) => String(row.worker_id),
  );
  return {
    ...lists,
    workers: workers.map(({ offers, ...worker }) => ({
      ...worker,
      skills: takenBy(offers),
      running: byWorker.get(worker.id)?.length ?? 0,
    })),
    counts,
  };
}

async function countOf(db: Database, state: string): Promise<number> {
  const row = await db.get(`SELECT COUNT(*) AS count FROM queued_runs WHERE state = '${state}'`);
  return Number(row?.count ?? 0);
}

export function entryOf(run: QueuedRun, live: readonly LiveWorker[]): QueueEntry {
  const { id, skill, state, workerId, error, priority, attempts, runId } = run;
  const told = error && `${error.code}: ${error.message}`;
  return {
    id,
    skill,
    task: run.taskId === null || run.planId === null ? run.taskId : `${run.planId}/${run.taskId}`,
    state,
    worker: state === "RUNNING" ? workerId : null,
    error: state === "WAITING" ? waitingReason(run, live) : told,
    since: (state === "RUNNING" ? run.startedAt : run.finishedAt) ?? run.queuedAt,
    priority,
    attempts,
    run: runId,
    queued_by: run.queuedBy,
  };
}

/** Every worker, those that died since the last look included. */
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
    gone: leaseState(row, store) === "over",
  }));
}

/** A skill of which it has several versions is named once. */
function takenBy(offers: LiveWorker["offers"]): string[] {
  return [...new Set(offers.filter(({ not }) => not === null).map(({ skill }) => skill))].sort();
}

/** A run with the reason why it waits. */
export async function describeQueued(store: Store, run: QueuedRun): Promise<QueueEntry> {
  return { ...entryOf(run, []), ...(run.state === "WAITING" ? { error: await reasonFor(store, run) } : {}) };
}

/** The queued runs of a plan that have not ended. */
export async function queuedOfPlan(store: Store, planId: string): Promise<QueueEntry[]> {
  const rows = await store.db.all(
    `SELECT * FROM queued_runs WHERE plan_id = ? AND task_id IS NOT NULL AND state IN ('WAITING', 'RUNNING', 'FAILED')`,
    [planId],
  );
  if (rows.length === 0) return [];
  const live = (await readWorkers(store)).filter(({ gone }) => !gone);
  return rows.map(queuedOf).map((run) => entryOf(run, live));
}

/** The last runs that succeeded or were cancelled, the newest first. */
export async function listEnded(store: Store, limit: number): Promise<QueueEntry[]> {
  const rows = await store.db.all(
    `SELECT * FROM queued_runs WHERE finished_at > '' AND state IN ('SUCCEEDED', 'CANCELLED')
     ORDER BY finished_at DESC LIMIT ?`,
    [limit],
  );
  return rows.map(queuedOf).map((run) => entryOf(run, []));
}

/** Why each of these waits; for who follows them. */
export async function reasonFor(store: Store, run: QueuedRun): Promise<string | null> {
  return waitingReason(
    run,
    (await readWorkers(store)).filter(({ gone }) => !gone),
  );
}

/** How many runs ended per minute in the last hour, the oldest minute first. */
export async function throughput(store: Store): Promise<{ readonly at: string; readonly ended: number }[]> {
  const now = Math.floor(store.now().getTime() / 60_000);
  const minutes = Array.from({ length: 60 }, (_, place) =>
    new Date((now - 59 + place) * 60_000).toISOString(),
  );
  const rows = await store.db.all(
    `SELECT substr(finished_at, 1, 16) AS minute, COUNT(*) AS ended FROM queued_runs WHERE finished_at >= ?
     GROUP BY substr(finished_at, 1, 16)`,
    [minutes[0] ?? ""],
  );
  const ended = new Map(rows.map((row) => [String(row.minute), Number(row.ended)]));
  return minutes.map((at) => ({ at, ended: ended.get(at.slice(0, 16)) ?? 0 }));
}
