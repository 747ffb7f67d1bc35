import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { KnackError, quote } from "@knack/core/text";
import { maskSecrets } from "../run/redact-result.ts";
import { type Database, insertRow } from "../store/database.ts";
import { newId, type Store, type TaskRef } from "../store/store.ts";
import type { Boss } from "./boss.ts";
import { findQueuedRuns, laneOf, type QueuedRequest, type QueuedRun, type Version } from "./queued-run.ts";
import { tell } from "./signals.ts";

/** Queues a run again that is dead, cancelled, or waits for its next try: it has all its tries again. */
export async function retryQueued(store: Store, boss: Boss, id: string): Promise<QueuedRun> {
  const run = await findQueued(store.db, id);
  await boss.ready(run.lane);
  const isQueued = await store.db.transaction(
    async (tx) => {
      const jobId = randomUUID();
      const { changes } = await tx.run(
        `UPDATE queued_runs SET state = 'WAITING', job_id = ?, attempts = 0, worker_id = NULL, skill_run_id = NULL,
           error_code = NULL, error_message = NULL, started_at = NULL, finished_at = NULL
         WHERE queue_id = ? AND job_id = ? AND state IN ('DEAD', 'FAILED', 'CANCELLED')`,
        [jobId, id, run.jobId],
      );
      if (changes === 0) return false;
      await boss.cancel(tx, run);
      await boss.send(tx, { ...run, jobId });
      await tell(tx, "lane", run.lane);
      return true;
    },
    { key: id },
  );
  if (isQueued) return findQueued(store.db, id);
  throw new KnackError(
    "CONFLICT",
    `The queued run ${id} is ${run.state}; only a run that failed can be retried.`,
  );
}

export async function retryDead(store: Store, boss: Boss): Promise<QueuedRun[]> {
  const again: QueuedRun[] = [];
  for (const { id } of await findQueuedRuns(store.db, "WHERE state = 'DEAD' ORDER BY queued_at"))
    try {
      again.push(await retryQueued(store, boss, id));
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof KnackError) || error.code !== "CONFLICT") throw error;
    }
  return again;
}

/** A run that waits is cancelled at once; the worker of a running one hears of it and ends it. */
export async function cancelQueued(store: Store, boss: Boss, id: string): Promise<QueuedRun> {
  await boss.ready((await findQueued(store.db, id)).lane);
  return store.db.transaction(
    async (tx) => {
      const run = await findQueued(tx, id);
      const { changes } = await tx.run(
        `UPDATE queued_runs SET state = 'CANCELLED', finished_at = ?
         WHERE queue_id = ? AND state IN ('WAITING', 'RUNNING', 'FAILED')`,
        [store.now().toISOString(), id],
      );
      if (changes === 0)
        throw new KnackError("CONFLICT", `The queued run ${id} is ${run.state} and cannot be cancelled.`);
      await boss.cancel(tx, run);
      await tell(tx, "cancel", run.jobId);
      await tell(tx, "done", id);
      return findQueued(tx, id);
    },
    { key: id },
  );
}

export async function findQueued(db: Database, id: string): Promise<QueuedRun> {
  const [run] = await findQueuedRuns(db, "WHERE queue_id = ?", [id]);
  if (run) return run;
  throw new KnackError("NOT_FOUND", `There is no queued run ${quote(id)}; "knack queue" lists them.`);
}

export interface NewQueued extends TaskRef {
  readonly version: Version;
  readonly request: QueuedRequest;
  readonly priority: number;
  readonly queuedBy: string;
}

export async function enqueue(store: Store, boss: Boss, run: NewQueued): Promise<string> {
  const { version, planId, taskId, priority, request, queuedBy } = run;
  const lane = laneOf(version);
  // Who shares turns: the runs of one plan; runs without a plan by who asked for them.
  const flow = planId === null ? `by ${queuedBy}` : `plan ${planId}`;
  await boss.ready(lane);
  return store.db.transaction(
    async (tx) => {
      const id = newId(store.now());
      const jobId = randomUUID();
      const turn = await nextTurn(tx, lane, flow, priority);
      await insertRow(tx, "queued_runs", {
        queue_id: id,
        job_id: jobId,
        lane,
        state: "WAITING",
        skill_name: version.skill,
        plan_id: planId,
        task_id: taskId,
        priority,
        flow,
        turn,
        tags_json: JSON.stringify(version.tags),
        request_json: JSON.stringify(request),
        queued_by: queuedBy,
        queued_at: store.now().toISOString(),
      });
      await boss.send(tx, { id, jobId, lane, priority, turn });
      await tell(tx, "lane", lane);
      return id;
    },
    { key: lane },
  );
}

/** Plans take turns: the n-th run of one comes after the n-th of each other. A later plan begins at the turn served now. */
async function nextTurn(tx: Database, lane: string, flow: string, priority: number): Promise<number> {
  const waiting = "lane = ? AND priority = ? AND state IN ('WAITING', 'FAILED')";
  const row = await tx.get(
    `SELECT GREATEST((SELECT MIN(turn) FROM queued_runs WHERE ${waiting}),
       (SELECT MAX(turn) + 1 FROM queued_runs WHERE ${waiting} AND flow = ?), 0) AS turn`,
    [lane, priority, lane, priority, flow],
  );
  return Number(row?.turn);
}

/** What is queued is stored, and secrets never are. */
export function refuseSecrets(skill: string, params: Readonly<Record<string, unknown>>): void {
  if (isDeepStrictEqual(maskSecrets(params), params)) return;
  throw new KnackError(
    "INVALID_PARAM",
    `A parameter of ${skill} looks like a secret, and parameters of queued runs are stored in the database. Run it without --queue, or list a variable under "env" in its entry and set it on the workers.`,
  );
}
