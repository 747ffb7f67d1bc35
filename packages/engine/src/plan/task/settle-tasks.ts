import type { Database } from "../../store/database.ts";
import type { Worked } from "../../store/runs/finish.ts";
import type { NewEvent, RowRef } from "../../store/store.ts";
import { orderTasks } from "../order-tasks.ts";
import type { BlockedReason, TaskStatus } from "../plan.ts";
import { readTasks, type TaskRow } from "../plan-rows.ts";
import { standingOf } from "../readiness.ts";

/** What happened to one task, before what follows from it is worked out. */
export interface TaskChange {
  readonly status?: TaskStatus;
  readonly failures?: number;
  readonly runId?: string | null;
}

/**
 * Brings every task of a plan to where it stands now, in the transaction of what changed, and answers the rows that it wrote
 * and the events of those that moved. A change of one task moves those that depend on it.
 */
export async function settleTasks(
  tx: Database,
  planId: string,
  at: string,
  changes: ReadonlyMap<string, TaskChange> = new Map(),
): Promise<Worked> {
  const tasks = await readTasks(tx, planId);
  const order = orderTasks(tasks);
  if ("cycle" in order) throw new Error(`The stored plan ${planId} has a cycle.`);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const settled = new Map<string, TaskStatus>();
  const events: NewEvent[] = [];
  const rows: RowRef[] = [];
  for (const id of order.order) {
    const task = byId.get(id) as TaskRow;
    const change = changes.get(id) ?? {};
    const failures = change.failures ?? task.failures;
    const { status, blockedReason } = standingOf({
      status: change.status ?? task.status,
      dependsOn: task.dependsOn.map((before) => settled.get(before) ?? "PENDING"),
      requirements: task.requirements.map((requirement) => ({ requirement, have: requirement.have })),
      failuresInARow: failures,
    });
    settled.set(id, status);
    const runId = change.runId === undefined ? task.runId : change.runId;
    const moved = status !== task.status || blockedReason !== task.blockedReason;
    if (!moved && failures === task.failures && runId === task.runId) continue;
    await tx.run(
      `UPDATE task_nodes SET status = ?, blocked_reason = ?, failures = ?, skill_run_id = ?, updated_at = ?
       WHERE plan_id = ? AND task_id = ?`,
      [status, blockedReason, failures, runId, at, planId, id],
    );
    rows.push({ table: "task_nodes", key: [planId, id] });
    if (moved) events.push(statusChanged(task, status, blockedReason));
  }
  return { events, rows };
}

function statusChanged(task: TaskRow, status: TaskStatus, blockedReason: BlockedReason | null): NewEvent {
  return {
    type: "STATUS_CHANGED",
    planId: task.planId,
    taskId: task.id,
    runId: null,
    payload: {
      from: task.status,
      to: status,
      ...(task.blockedReason ? { from_reason: task.blockedReason } : {}),
      ...(blockedReason ? { reason: blockedReason } : {}),
    },
  };
}
