import { randomUUID } from "node:crypto";
import { quote } from "@knack/core/internal/engine";
import { EngineError } from "../shared/engine-error.ts";
import type { Store } from "../store/store.ts";
import type { Boss } from "./boss.ts";
import { bossPriority, type QueuedRun, queuedOf } from "./queued-run.ts";
import { tell, tellLane } from "./signals.ts";

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
      await boss.remove(tx, run.lane, run.jobId);
      await boss.send(tx, run.lane, [{ jobId, queueId: id, priority: bossPriority(run) }]);
      await tellLane(tx, run.lane);
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

/** All dead runs; `knack queue retry --all`. */
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
      if (now.state !== "RUNNING") await boss.remove(tx, now.lane, now.jobId);
      await tell(tx, { kind: "cancel", names: [now.jobId] });
      await tell(tx, { kind: "done", names: [id] });
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
