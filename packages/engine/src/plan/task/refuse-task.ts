import type { Database } from "../../store/database.ts";
import type { NewEvent, Store } from "../../store/store.ts";
import { readTasks } from "../plan-rows.ts";
import { settleTasks } from "./settle-tasks.ts";

/**
 * Records that a task's run was refused before it began. An approval that is missing leaves the task READY; a broken or
 * missing input is a failure of the task. Returns how the task stands.
 */
export async function refuseTask(
  tx: Database,
  store: Store,
  { planId, taskId }: { readonly planId: string; readonly taskId: string },
  error: { readonly code: string; readonly message: string },
  stays = error.code === "ACCESS_DENIED",
): Promise<"READY" | "FAILED"> {
  const row = (await readTasks(tx, planId)).find(({ id }) => id === taskId);
  const failures = (row?.failures ?? 0) + (stays ? 0 : 1);
  const status = stays ? "READY" : "FAILED";
  const at = store.now().toISOString();
  const { events, rows } = await settleTasks(tx, planId, at, new Map([[taskId, { status, failures }]]));
  const told: NewEvent = { type: "ERROR", planId, taskId, runId: null, payload: error };
  await store.record(tx, [told, ...events], { actor: store.actor, at, rows });
  return status;
}
