import { randomUUID } from "node:crypto";
import type { Database } from "../store/database.ts";
import { newId } from "../store/runs/new-id.ts";
import type { Store, TaskRef } from "../store/store.ts";
import type { Boss, NewJob } from "./boss.ts";
import { laneOf, type Version } from "./lane.ts";
import { bossPriority, type QueuedRun } from "./queued-run.ts";
import type { QueuedRequest } from "./read-columns.ts";
import { tellLane } from "./signals.ts";

export interface NewQueued extends TaskRef {
  readonly version: Version;
  readonly request: QueuedRequest;
  readonly priority: number;
  readonly queuedBy: string;
}

/** Puts runs of one version into the queue, all or none: each row with its job in one transaction. Returns their ids. */
export async function enqueue(store: Store, boss: Boss, runs: readonly NewQueued[]): Promise<string[]> {
  const [first] = runs;
  if (!first) return [];
  const lane = laneOf(first.version);
  await boss.ready(lane);
  return store.db.transaction(
    async (tx) => {
      const ids: string[] = [];
      const jobs: NewJob[] = [];
      for (const run of runs) {
        const id = newId(store.now());
        const jobId = randomUUID();
        const turn = await nextTurn(tx, lane, run);
        await insert(tx, run, { id, jobId, lane, turn, at: store.now().toISOString() });
        jobs.push({ jobId, queueId: id, priority: bossPriority({ priority: run.priority, turn }) });
        ids.push(id);
      }
      await boss.send(tx, lane, jobs);
      await tellLane(tx, lane);
      return ids;
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

async function insert(
  tx: Database,
  run: NewQueued,
  { id, jobId, lane, turn, at }: Pick<QueuedRun, "id" | "jobId" | "lane" | "turn"> & { readonly at: string },
): Promise<void> {
  await tx.run(
    `INSERT INTO queued_runs (queue_id, job_id, lane, state, skill_name, plan_id, task_id, priority, flow, turn, tags_json,
       request_json, queued_by, queued_at) VALUES (?, ?, ?, 'WAITING', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      id,
      jobId,
      lane,
      run.version.skill,
      run.planId,
      run.taskId,
      run.priority,
      flowOf(run),
      turn,
      JSON.stringify(run.version.tags),
      JSON.stringify(run.request),
      run.queuedBy,
      at,
    ],
  );
}
