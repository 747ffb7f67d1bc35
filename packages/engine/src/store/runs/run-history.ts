import type { Database, Parameter, Row } from "../database.ts";
import { type RunStatus, runOf, type SkillRun } from "./runs.ts";

export interface HistoryFilter {
  readonly skill?: string | undefined;
  readonly status?: RunStatus | undefined;
  /** `true`: only results that came from an earlier run; `false`: only executions. Both by default. */
  readonly cached?: boolean | undefined;
  readonly limit: number;
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

interface Served {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly planId: string | null;
  readonly taskId: string | null;
}

/** Knack writes the payload, and a skill's name cannot contain this text. */
const IS_SERVED = `e.event_type = 'SKILL_RUN' AND e.payload_json LIKE '%"cached":true%'`;

export async function runHistory(db: Database, filter: HistoryFilter): Promise<HistoryEntry[]> {
  const executed = filter.cached === true ? [] : await executedRuns(db, filter);
  const served = filter.cached === false ? [] : await servedRuns(db, filter);
  return [...executed, ...served].sort(newestFirst).slice(0, filter.limit);
}

async function executedRuns(db: Database, filter: HistoryFilter): Promise<HistoryEntry[]> {
  const { after } = filter;
  const { where, values } = conditionsOf(
    filter,
    [],
    after && ["(r.started_at, 0, r.skill_run_id) < (?, ?, ?)", after.at, after.seq, after.id],
  );
  const rows = await db.all(
    `SELECT r.* FROM skill_runs r ${where} ORDER BY r.started_at DESC, r.skill_run_id DESC LIMIT ?`,
    [...values, filter.limit],
  );
  return rows.map((row) => {
    const run = runOf(row);
    return { at: run.startedAt, seq: 0, id: run.id, run, served: null };
  });
}

/** By their time first, as the whole list: after the clock was set back, a later record may have an earlier time. */
async function servedRuns(db: Database, filter: HistoryFilter): Promise<HistoryEntry[]> {
  const { after } = filter;
  const { where, values } = conditionsOf(
    filter,
    [IS_SERVED],
    after && ["(e.created_at, e.seq) < (?, ?)", after.at, after.seq],
  );
  const rows = await db.all(
    `SELECT r.*, e.created_at AS at, e.seq AS seq, e.actor AS actor, e.plan_id AS served_plan, e.task_id AS served_task
     FROM task_events e JOIN skill_runs r ON r.skill_run_id = e.run_id ${where}
     ORDER BY e.created_at DESC, e.seq DESC LIMIT ?`,
    [...values, filter.limit],
  );
  return rows.map((row) => {
    const run = runOf(row);
    const served = servedOf(row, "served_plan", "served_task");
    return { at: served.at, seq: served.seq, id: run.id, run, served };
  });
}

function conditionsOf(
  { skill, status }: HistoryFilter,
  always: readonly string[],
  after: readonly [sql: string, ...values: Parameter[]] | undefined,
): { readonly where: string; readonly values: readonly Parameter[] } {
  const conditions = [...always];
  const values: Parameter[] = [];
  const add = (sql: string, ...given: Parameter[]): void => {
    conditions.push(sql);
    values.push(...given);
  };
  if (skill !== undefined) add("r.skill_name = ?", skill);
  if (status !== undefined) add("r.status = ?", status);
  if (after) add(...after);
  return { where: conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`, values };
}

function newestFirst(a: HistoryPlace, b: HistoryPlace): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  return b.seq - a.seq || (a.id < b.id ? 1 : -1);
}

export async function servedAgain(db: Database, runId: string, limit: number): Promise<Served[]> {
  const rows = await db.all(
    `SELECT e.seq, e.created_at AS at, e.actor, e.plan_id, e.task_id FROM task_events e
     WHERE e.run_id = ? AND ${IS_SERVED} ORDER BY e.seq DESC LIMIT ?`,
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
