import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { quote } from "@knack/core/text";
import { maskSecrets } from "../run/redact-result.ts";
import { EngineError } from "../shared/engine-error.ts";
import type { Database } from "../store/database.ts";
import { newId, type Store, type TaskRef } from "../store/store.ts";
import type { Boss } from "./boss.ts";
import { laneOf, type QueuedRequest, type QueuedRun, queuedOf, type Version } from "./queued-run.ts";
import { tell } from "./signals.ts";

const AGAIN = "('DEAD', 'FAILED', 'CANCELLED')";

/** Queues a run again that is dead, cancelled, or waits for its next try: it has all its tries again. */
export async function retryQueued(store: Store, boss: Boss, id: string): Promise<QueuedRun> {
  const run = await findQueued(store, id);
  await boss.ready(run.lane);
  const isQueued = await store.db.transaction(
    async (tx) => {
      const jobId = randomUUID();
      const { changes } = await tx.run(
        `UPDATE queued_runs SET state = 'WAITING', job_id = ?, attempts = 0, worker_id = NULL, skill_run_id = NULL,
           error_code = NULL, error_message = NULL, started_at = NULL, finished_at = NULL
         WHERE queue_id = ? AND job_id = ? AND state IN ${AGAIN}`,
        [jobId, id, run.jobId],
      );
      if (changes === 0) return false;
      await boss.cancel(tx, run);
      await boss.send(tx, { ...run, jobId });
      await tell(tx, { kind: "lane", name: run.lane });
      return true;
    },
    { key: id },
  );
  if (!isQueued)
    throw new EngineError(
      "CONFLICT",
      `The queued run ${id} is ${run.state}; only a run that failed can be retried.`,
    );
  return findQueued(store, id);
}

export async function retryDead(store: Store, boss: Boss): Promise<QueuedRun[]> {
  const rows = await store.db.all("SELECT queue_id FROM queued_runs WHERE state = 'DEAD' ORDER BY queued_at");
  const again: QueuedRun[] = [];
  for (const row of rows)
    try {
      again.push(await retryQueued(store, boss, String(row.queue_id)));
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof EngineError) || error.code !== "CONFLICT") throw error;
    }
  return again;
}

/** A run that waits is cancelled at once; the worker of a running one hears of it and ends it. */
export async function cancelQueued(store: Store, boss: Boss, id: string): Promise<QueuedRun> {
  const run = await findQueued(store, id);
  await boss.ready(run.lane);
  const isCancelled = await store.db.transaction(
    async (tx) => {
      const row = await tx.get("SELECT * FROM queued_runs WHERE queue_id = ?", [id]);
      const now = row ? queuedOf(row) : run;
      const { changes } = await tx.run(
        `UPDATE queued_runs SET state = 'CANCELLED', finished_at = ?
         WHERE queue_id = ? AND state IN ('WAITING', 'RUNNING', 'FAILED')`,
        [store.now().toISOString(), id],
      );
      if (changes === 0) return false;
      await boss.cancel(tx, now);
      await tell(tx, { kind: "cancel", name: now.jobId });
      await tell(tx, { kind: "done", name: id });
      return true;
    },
    { key: id },
  );
  const after = await findQueued(store, id);
  if (!isCancelled)
    throw new EngineError("CONFLICT", `The queued run ${id} is ${after.state} and cannot be cancelled.`);
  return after;
}

export async function findQueued(store: Store, id: string): Promise<QueuedRun> {
  const row = await store.db.get("SELECT * FROM queued_runs WHERE queue_id = ?", [id]);
  if (row) return queuedOf(row);
  throw new EngineError("NOT_FOUND", `There is no queued run ${quote(id)}; "knack queue" lists them.`);
}

export interface NewQueued extends TaskRef {
  readonly version: Version;
  readonly request: QueuedRequest;
  readonly priority: number;
  readonly queuedBy: string;
}

/** Puts a run into the queue: its row and its job in one transaction. Returns its id. */
export async function enqueue(store: Store, boss: Boss, run: NewQueued): Promise<string> {
  const lane = laneOf(run.version);
  await boss.ready(lane);
  return store.db.transaction(
    async (tx) => {
      const id = newId(store.now());
      const jobId = randomUUID();
      const turn = await nextTurn(tx, lane, run);
      const { version, planId, taskId, priority, request, queuedBy } = run;
      await tx.run(
        `INSERT INTO queued_runs (queue_id, job_id, lane, state, skill_name, plan_id, task_id, priority, flow, turn,
           tags_json, request_json, queued_by, queued_at) VALUES (?, ?, ?, 'WAITING', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          ...[id, jobId, lane, version.skill, planId, taskId, priority, flowOf(run), turn],
          ...[JSON.stringify(version.tags), JSON.stringify(request), queuedBy, store.now().toISOString()],
        ],
      );
      await boss.send(tx, { id, jobId, lane, priority, turn });
      await tell(tx, { kind: "lane", name: lane });
      return id;
    },
    { key: lane },
  );
}

/** Who shares turns: the runs of one plan; runs without a plan by who asked for them. */
function flowOf({ planId, queuedBy }: Pick<NewQueued, "planId" | "queuedBy">): string {
  return planId === null ? `by ${queuedBy}` : `plan ${planId}`;
}

/**
 * Plans take turns: the n-th waiting run of one comes after the n-th of each other. A plan that comes later begins at the
 * turn that is served now, so it neither waits for all that others queued before nor overtakes them for ever.
 */
async function nextTurn(tx: Database, lane: string, run: NewQueued): Promise<number> {
  const now = await tx.get(
    `SELECT MIN(turn) AS turn FROM queued_runs WHERE lane = ? AND priority = ? AND state IN ('WAITING', 'FAILED')`,
    [lane, run.priority],
  );
  const own = await tx.get(
    `SELECT MAX(turn) AS turn FROM queued_runs
     WHERE lane = ? AND flow = ? AND priority = ? AND state IN ('WAITING', 'FAILED')`,
    [lane, flowOf(run), run.priority],
  );
  const current = Number(now?.turn ?? 0);
  return own?.turn === null || own?.turn === undefined ? current : Math.max(current, Number(own.turn) + 1);
}

/** What is queued is stored, and secrets never are. */
export function refuseSecrets(skill: string, params: Readonly<Record<string, unknown>>): void {
  if (isDeepStrictEqual(maskSecrets(params), params)) return;
  throw new EngineError(
    "INVALID_PARAM",
    `A parameter of ${skill} looks like a secret, and parameters of queued runs are stored in the database. Run it without --queue, or list a variable under "env" in its entry and set it on the workers.`,
  );
}
