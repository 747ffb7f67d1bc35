import type { Database, Parameter } from "../database.ts";
import { type RunStatus, runOf, type SkillRun } from "./skill-run.ts";

export async function getRun(db: Database, id: string): Promise<SkillRun | null> {
  const row = await db.get("SELECT * FROM skill_runs WHERE skill_run_id = ?", [id]);
  return row ? runOf(row) : null;
}

export interface RunFilter {
  readonly skill?: string;
  readonly status?: RunStatus;
  readonly planId?: string;
  readonly taskId?: string;
  /** ISO 8601 UTC: runs that started at this time or later. */
  readonly since?: string;
  readonly limit: number;
}

/** Newest first. */
export async function listRuns(db: Database, filter: RunFilter): Promise<SkillRun[]> {
  const asked: readonly [string, Parameter | undefined][] = [
    ["skill_name = ?", filter.skill],
    ["status = ?", filter.status],
    ["plan_id = ?", filter.planId],
    ["task_id = ?", filter.taskId],
    ["started_at >= ?", filter.since],
  ];
  const conditions = asked.filter(([, value]) => value !== undefined);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}`;
  const rows = await db.all(
    `SELECT * FROM skill_runs ${where} ORDER BY started_at DESC, skill_run_id DESC LIMIT ?`,
    [...conditions.map(([, value]) => value as Parameter), filter.limit],
  );
  return rows.map(runOf);
}

/** The newest success of a key that the caller has not excluded, as it does with those whose artifacts are lost. */
export async function latestSuccess(
  db: Database,
  key: string,
  excludingIds: readonly string[] = [],
): Promise<SkillRun | null> {
  const others =
    excludingIds.length === 0 ? "" : `AND skill_run_id NOT IN (${excludingIds.map(() => "?").join(", ")})`;
  const row = await db.get(
    `SELECT * FROM skill_runs WHERE idempotency_key = ? AND status = 'SUCCEEDED' ${others}
     ORDER BY finished_at DESC, skill_run_id DESC LIMIT 1`,
    [key, ...excludingIds],
  );
  return row ? runOf(row) : null;
}
