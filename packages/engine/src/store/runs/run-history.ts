import type { Database, Parameter, Row } from "../database.ts";
import { type RunStatus, runOf, type SkillRun } from "./skill-run.ts";

export interface HistoryFilter {
  readonly skill?: string | undefined;
  readonly status?: RunStatus | undefined;
  /** `true`: only results that came from an earlier run; `false`: only executions. Both by default. */
  readonly cached?: boolean | undefined;
  readonly limit: number;
  /** Continue after this entry. */
  readonly after?: HistoryPlace | undefined;
}

/** The order of the history: newest first. */
export interface HistoryPlace {
  readonly at: string;
  readonly seq: number;
  readonly id: string;
}

/** A request for a run: an execution, or the result of an earlier one that was returned again. */
export interface HistoryEntry extends HistoryPlace {
  readonly run: SkillRun;
  readonly served: Served | null;
}

/** When the result of an earlier run was returned again, and to whom. */
interface Served {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly planId: string | null;
  readonly taskId: string | null;
}

/** Knack writes the payload, and a skill's name cannot contain this text. */
const IS_SERVED = `event_type = 'SKILL_RUN' AND payload_json LIKE '%"cached":true%'`;

/** Executions and cached results in one list, newest first. */
export async function runHistory(db: Database, filter: HistoryFilter): Promise<HistoryEntry[]> {
  const { skill, status, cached, limit, after } = filter;
  const conditions: string[] = [];
  const values: Parameter[] = [];
  const add = (sql: string, ...given: Parameter[]): void => {
    conditions.push(sql);
    values.push(...given);
  };
  if (skill !== undefined) add("skill_name = ?", skill);
  if (status !== undefined) add("status = ?", status);
  if (cached !== undefined) add(cached ? "seq > 0" : "seq = 0");
  if (after) add("(at, seq, id) < (?, ?, ?)", after.at, after.seq, after.id);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const rows = await db.all(
    `SELECT * FROM (
       SELECT r.*, r.skill_run_id AS id, r.started_at AS at, 0 AS seq, NULL AS actor, NULL AS served_plan, NULL AS served_task
       FROM skill_runs r
       UNION ALL
       SELECT r.*, r.skill_run_id AS id, e.created_at AS at, e.seq AS seq, e.actor AS actor, e.plan_id AS served_plan,
         e.task_id AS served_task
       FROM task_events e JOIN skill_runs r ON r.skill_run_id = e.run_id WHERE ${IS_SERVED}
     ) AS history ${where} ORDER BY at DESC, seq DESC, id DESC LIMIT ?`,
    [...values, limit],
  );
  return rows.map((row) => ({
    at: String(row.at),
    seq: Number(row.seq),
    id: String(row.id),
    run: runOf(row),
    served: Number(row.seq) === 0 ? null : servedOf(row, "served_plan", "served_task"),
  }));
}

/** When the result of a run was returned again, newest first. */
export async function servedAgain(db: Database, runId: string, limit: number): Promise<Served[]> {
  const rows = await db.all(
    `SELECT seq, created_at AS at, actor, plan_id, task_id FROM task_events WHERE run_id = ? AND ${IS_SERVED}
     ORDER BY seq DESC LIMIT ?`,
    [runId, limit],
  );
  return rows.map((row) => servedOf(row, "plan_id", "task_id"));
}

/** Who asked for a run; `null` while it runs, because its record is written at its end. */
export async function actorOf(db: Database, runId: string): Promise<string | null> {
  const row = await db.get(
    "SELECT actor FROM task_events WHERE run_id = ? AND event_type = 'SKILL_RUN' ORDER BY seq LIMIT 1",
    [runId],
  );
  return row ? String(row.actor) : null;
}

function servedOf(row: Row, plan: string, task: string): Served {
  const text = (name: string): string | null =>
    row[name] === null || row[name] === undefined ? null : String(row[name]);
  return {
    seq: Number(row.seq),
    at: String(row.at),
    actor: String(row.actor),
    planId: text(plan),
    taskId: text(task),
  };
}

/** A run in progress, in whichever process. */
interface RunningRun {
  readonly id: string;
  readonly skill: string;
  readonly started_at: string;
}

/** Not sorted by the database, which would then read all runs instead of the running ones. */
export async function runningRuns(db: Database): Promise<RunningRun[]> {
  const rows = await db.all(
    "SELECT skill_run_id, skill_name, started_at FROM skill_runs WHERE status = 'RUNNING'",
  );
  return rows
    .map((row) => ({
      id: String(row.skill_run_id),
      skill: String(row.skill_name),
      started_at: String(row.started_at),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
