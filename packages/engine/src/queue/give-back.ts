import { randomUUID } from "node:crypto";
import type { Store } from "../store/store.ts";
import type { Boss } from "./boss.ts";
import { bossPriority, type QueuedRun } from "./queued-run.ts";
import { tellLane } from "./signals.ts";

/** Lets others run what a worker took and will not finish. Nothing happens to what has ended or was taken since. */
export async function giveBack(
  store: Store,
  boss: Boss,
  runs: readonly Pick<QueuedRun, "id" | "lane" | "jobId" | "workerId" | "priority" | "turn">[],
): Promise<number> {
  let given = 0;
  for (const run of runs) {
    await boss.ready(run.lane);
    const isGiven = await store.db.transaction(
      async (tx) => {
        const { changes } = await tx.run(
          `UPDATE queued_runs SET state = 'WAITING', worker_id = NULL, started_at = NULL
           WHERE queue_id = ? AND state = 'RUNNING' AND job_id = ? AND worker_id = ?`,
          [run.id, run.jobId, run.workerId],
        );
        if (changes === 0) return false;
        if (!(await boss.giveBack(tx, run.lane, run.jobId))) {
          const jobId = randomUUID();
          await tx.run("UPDATE queued_runs SET job_id = ? WHERE queue_id = ?", [jobId, run.id]);
          await boss.send(tx, run.lane, [{ jobId, queueId: run.id, priority: bossPriority(run) }]);
        }
        await tellLane(tx, run.lane);
        return true;
      },
      { key: run.id },
    );
    if (isGiven) given++;
  }
  return given;
}
