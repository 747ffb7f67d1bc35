import { interruptExpired } from "../../store/runs/claim.ts";
import { getRun } from "../../store/runs/runs.ts";
import type { Store } from "../../store/store.ts";
import { readTasks } from "../plan-rows.ts";
import { settleTasks, type TaskChange } from "./settle-tasks.ts";

/** A task that is IN_PROGRESS by a run that is over was left behind by a process that died; it can be taken again. */
export async function releaseTasks(store: Store, planId: string): Promise<void> {
  const left = (await readTasks(store.db, planId)).filter(({ status }) => status === "IN_PROGRESS");
  if (left.length === 0) return;
  await interruptExpired(store);
  await store.db.transaction(async (tx) => {
    const changes = new Map<string, TaskChange>();
    for (const { id, status, runId } of await readTasks(tx, planId)) {
      if (status !== "IN_PROGRESS") continue;
      const run = runId === null ? null : await getRun(tx, runId);
      if (run?.status !== "RUNNING") changes.set(id, { status: "READY" });
    }
    const at = store.now().toISOString();
    const { events, rows } = await settleTasks(tx, planId, at, changes);
    await store.record(tx, events, { actor: store.actor, at, rows });
  });
}
