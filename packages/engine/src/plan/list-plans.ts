import type { Database } from "../store/database.ts";

/** An applied plan, with the number of its tasks in each state. */
export interface ListedPlan {
  readonly plan: string;
  readonly title: string;
  readonly tasks: number;
  readonly done: number;
  readonly updated_at: string;
}

/** Every plan that was applied, by its id. */
export async function listPlans(db: Database): Promise<ListedPlan[]> {
  const rows = await db.all(
    `SELECT plans.plan_id, plans.title, plans.updated_at, COUNT(task_nodes.task_id) AS tasks,
       SUM(CASE WHEN task_nodes.status = 'DONE' THEN 1 ELSE 0 END) AS done
     FROM plans LEFT JOIN task_nodes ON task_nodes.plan_id = plans.plan_id
     GROUP BY plans.plan_id, plans.title, plans.updated_at ORDER BY plans.plan_id`,
    [],
  );
  return rows.map((row) => ({
    plan: String(row.plan_id),
    title: String(row.title),
    tasks: Number(row.tasks),
    done: Number(row.done ?? 0),
    updated_at: String(row.updated_at),
  }));
}
