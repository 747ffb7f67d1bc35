import { fewOf, quote } from "@knack/core/internal/engine";
import { EngineError } from "../../shared/engine-error.ts";
import type { Database } from "../../store/database.ts";
import { readTasks, type TaskRow } from "../plan-rows.ts";

/** The task that `task` or `plan/task` means; a bare id in two plans is refused with both. */
export async function findTask(db: Database, given: string): Promise<TaskRow> {
  const slash = given.indexOf("/");
  const [planId, taskId] =
    slash === -1 ? [undefined, given] : [given.slice(0, slash), given.slice(slash + 1)];
  const rows = await db.all("SELECT plan_id FROM task_nodes WHERE task_id = ? ORDER BY plan_id", [taskId]);
  const plans = rows
    .map((row) => String(row.plan_id))
    .filter((plan) => planId === undefined || plan === planId);
  const [plan, ...others] = plans;
  if (plan === undefined) {
    throw new EngineError(
      "NOT_FOUND",
      `No applied plan has a task ${quote(given)}. "knack plan status <plan.yaml>" lists the tasks of a plan, "knack plan apply <plan.yaml>" applies it.`,
    );
  }
  if (others.length > 0) {
    const candidates = plans.map((name) => `${name}/${taskId}`);
    throw new EngineError(
      "INVALID_PARAM",
      `Several plans have a task ${quote(given)}; name one of ${fewOf(candidates)}.`,
      candidates,
    );
  }
  const task = (await readTasks(db, plan)).find(({ id }) => id === taskId);
  if (!task) throw new EngineError("NOT_FOUND", `The task ${quote(given)} no longer exists.`);
  return task;
}
