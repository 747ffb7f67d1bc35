import type { NewEvent, Store } from "../store/store.ts";
import type { Plan } from "./plan.ts";
import { planRowRefs, removeTask, writeTask } from "./plan-rows.ts";
import { settleTasks } from "./task/settle-tasks.ts";

/** Makes the database say what the plan says. The evidence of tasks that stay is kept; twice changes nothing. */
export async function applyPlan(store: Store, plan: Plan): Promise<{ readonly changed: boolean }> {
  const definition = JSON.stringify({ title: plan.title, tasks: plan.tasks });
  const { sha256 } = plan;
  return store.db.transaction(async (tx) => {
    const known = await tx.get("SELECT sha256, path FROM plans WHERE plan_id = ?", [plan.id]);
    if (known?.sha256 === sha256 && known.path === plan.file) return { changed: false };
    const at = store.now().toISOString();
    const before = await planRowRefs(tx, plan.id);
    await tx.run(
      `INSERT INTO plans (plan_id, title, path, sha256, data_json, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (plan_id) DO UPDATE SET title = excluded.title, path = excluded.path, sha256 = excluded.sha256,
         data_json = excluded.data_json, updated_at = excluded.updated_at`,
      [plan.id, plan.title, plan.file, sha256, definition, at, at],
    );
    // Edges and requirements have no state of their own: evidence knows its requirement by a name that stays.
    await tx.run("DELETE FROM task_edges WHERE plan_id = ?", [plan.id]);
    await tx.run("DELETE FROM input_requirements WHERE plan_id = ?", [plan.id]);
    const kept = new Set(plan.tasks.map(({ id }) => id));
    for (const { task_id } of await tx.all("SELECT task_id FROM task_nodes WHERE plan_id = ?", [plan.id])) {
      const id = String(task_id);
      if (!kept.has(id)) await removeTask(tx, plan.id, id);
    }
    for (const [position, task] of plan.tasks.entries()) await writeTask(tx, plan, task, position, at);
    const { events } = await settleTasks(tx, plan.id, at);
    // Also recorded if no task changes its state, because the definition of the plan has changed.
    const applied: NewEvent = {
      type: "STATUS_CHANGED",
      planId: plan.id,
      taskId: null,
      runId: null,
      payload: { plan: plan.id, applied: sha256 },
    };
    const rows = [...before, ...(await planRowRefs(tx, plan.id))];
    await store.record(tx, events.length === 0 ? [applied] : events, { actor: store.actor, at, rows });
    return { changed: true };
  });
}
