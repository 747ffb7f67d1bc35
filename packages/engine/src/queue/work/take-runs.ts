import type { Store } from "../../store/store.ts";
import type { Boss, TakenJob } from "../boss.ts";
import { type QueuedRun, queuedOf } from "../queued-run.ts";

/** A run that this worker has, with the job that brought it. */
export interface TakenRun {
  readonly queued: QueuedRun;
  readonly job: TakenJob;
}

/** Where to look first: the lane whose next run has the highest priority, then the earliest turn. */
export async function nextLane(store: Store, lanes: readonly string[]): Promise<string | undefined> {
  if (lanes.length === 0) return undefined;
  const row = await store.db.get(
    `SELECT l.lane FROM (VALUES ${lanes.map(() => "(?)").join(", ")}) AS l (lane) CROSS JOIN LATERAL
       (SELECT priority, turn FROM queued_runs q WHERE q.lane = l.lane AND q.state IN ('WAITING', 'FAILED')
        ORDER BY priority DESC, turn LIMIT 1) AS first
     ORDER BY first.priority DESC, first.turn LIMIT 1`,
    lanes,
  );
  return row && String(row.lane);
}

/**
 * Takes the next runs of a lane: the jobs and their rows in one transaction, so that a worker that dies has both or neither.
 * `stale` are jobs of runs that ended or have another job by now.
 */
export async function takeRuns(
  store: Store,
  boss: Boss,
  lane: string,
  count: number,
  workerId: string,
): Promise<{ readonly taken: readonly TakenRun[]; readonly stale: readonly TakenJob[] }> {
  return store.db.transaction(
    async (tx) => {
      const jobs = await boss.take(tx, lane, count);
      if (jobs.length === 0) return { taken: [], stale: [] };
      const rows = await tx.all(
        `UPDATE queued_runs SET state = 'RUNNING', worker_id = ?, started_at = ?, finished_at = NULL
         WHERE queue_id IN (${jobs.map(() => "?").join(", ")}) AND job_id IN (${jobs.map(() => "?").join(", ")})
           AND state IN ('WAITING', 'FAILED', 'RUNNING') RETURNING *`,
        [
          workerId,
          store.now().toISOString(),
          ...jobs.map(({ queueId }) => queueId),
          ...jobs.map(({ jobId }) => jobId),
        ],
      );
      const byJob = new Map(rows.map(queuedOf).map((queued) => [queued.jobId, queued]));
      const taken = jobs.flatMap((job) => {
        const queued = byJob.get(job.jobId);
        return queued ? [{ queued, job }] : [];
      });
      return { taken, stale: jobs.filter(({ jobId }) => !byJob.has(jobId)) };
    },
    { durable: false, key: `take ${workerId}` },
  );
}
