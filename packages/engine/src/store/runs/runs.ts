import { KnackError } from "@knack/core/text";
import type { ProducedEvidence } from "../../shared/typed-skill.ts";
import { type Database, type Parameter, type Row, rowsOf, whereOf } from "../database.ts";
import type { TaskRef } from "../store.ts";

type RunStatus = "RUNNING" | "SUCCEEDED" | "FAILED";

export interface RunArtifact {
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly size_bytes: number;
  readonly format: string;
  /** The version of this name in this task. */
  readonly version: number;
}

interface RunInput {
  readonly role: string;
  readonly kind: string;
  readonly path: string;
  readonly sha256: string;
  readonly size_bytes: number;
  /** Of a confirmation, which has no path: who gave it, and when. */
  readonly confirmed_by?: string;
  readonly confirmed_at?: string;
}

export interface SkillRun extends TaskRef {
  readonly id: string;
  readonly skill: string;
  readonly skillVersion: string;
  readonly implementation: string;
  readonly implementationDigest: string;
  readonly key: string;
  readonly status: RunStatus;
  readonly leaseUntil: string;
  /** The process that holds or held it; see `Holder`. */
  readonly holder: string;
  readonly inputs: readonly RunInput[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly artifacts: readonly RunArtifact[];
  readonly evidences: readonly ProducedEvidence[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly isolation: string | null;
  /** The end of the skill's log output. */
  readonly logTail: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
}

/** The columns of `skill_runs` by the names that `SkillRun` has for them. */
export const RUN_COLUMNS = `skill_run_id AS id, skill_runs.plan_id AS "planId", skill_runs.task_id AS "taskId",
  skill_name AS skill, skill_version AS "skillVersion", implementation,
  implementation_digest AS "implementationDigest", idempotency_key AS "key", status, lease_until AS "leaseUntil", holder,
  inputs_json AS inputs, params_json AS params, output_artifacts_json AS artifacts, output_evidences_json AS evidences,
  error_code, error_message, isolation, log_tail AS "logTail", started_at AS "startedAt", finished_at AS "finishedAt"`;

export function runOf({ error_code: code, error_message: message, ...row }: Row): SkillRun {
  const json = (column: string): unknown => {
    try {
      return JSON.parse(String(row[column]));
    } catch (cause) {
      // Knack writes valid JSON; anything else was written by another program.
      throw new KnackError("CORRUPT", `The ${column} of run ${String(row.id)} are not JSON.`, { cause });
    }
  };
  return {
    ...(row as unknown as SkillRun),
    inputs: json("inputs") as SkillRun["inputs"],
    params: json("params") as SkillRun["params"],
    artifacts: json("artifacts") as SkillRun["artifacts"],
    evidences: json("evidences") as SkillRun["evidences"],
    error: code === null ? null : { code: String(code), message: String(message ?? "") },
  };
}

export async function findRuns(
  db: Database,
  rest: string,
  parameters: readonly Parameter[],
): Promise<SkillRun[]> {
  return (await db.all(`SELECT ${RUN_COLUMNS} FROM skill_runs ${rest}`, parameters)).map(runOf);
}

export async function getRun(db: Database, id: string): Promise<SkillRun | null> {
  return (await findRuns(db, "WHERE skill_run_id = ?", [id]))[0] ?? null;
}

export interface RunFilter {
  readonly skill?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly planId?: string;
  readonly taskId?: string;
  /** ISO 8601 UTC: runs that started at this time or later. */
  readonly since?: string;
  readonly after?: HistoryPlace | undefined;
  readonly limit: number;
}

/** Newest first. */
export function listRuns(db: Database, filter: RunFilter): Promise<SkillRun[]> {
  const { after } = filter;
  const { where, values } = whereOf([
    ["skill_name = ?", filter.skill],
    ["status = ?", filter.status],
    ["plan_id = ?", filter.planId],
    ["task_id = ?", filter.taskId],
    ["started_at >= ?", filter.since],
    ["(started_at, 0, skill_run_id) < (?, ?, ?)", after?.at, after?.seq, after?.id],
  ]);
  const order = "ORDER BY started_at DESC, skill_run_id DESC LIMIT ?";
  return findRuns(db, `${where} ${order}`, [...values, filter.limit]);
}

/** The newest success of a key that the caller has not excluded, as it does with those whose artifacts are lost. */
export async function latestSuccess(
  db: Database,
  key: string,
  excludingIds: readonly string[] = [],
): Promise<SkillRun | null> {
  const others =
    excludingIds.length === 0 ? "" : `AND skill_run_id NOT IN (${excludingIds.map(() => "?").join(", ")})`;
  const [run = null] = await findRuns(
    db,
    `WHERE idempotency_key = ? AND status = 'SUCCEEDED' ${others}
     ORDER BY finished_at DESC, skill_run_id DESC LIMIT 1`,
    [key, ...excludingIds],
  );
  return run;
}

export interface HistoryFilter extends RunFilter {
  /** `true`: only results that came from an earlier run; `false`: only executions. Both by default. */
  readonly cached?: boolean | undefined;
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

interface Served extends TaskRef {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
}

/** Knack writes the payload, and a skill's name cannot contain this text. */
const IS_SERVED = `e.event_type = 'SKILL_RUN' AND e.payload_json LIKE '%"cached":true%'`;

export async function runHistory(db: Database, filter: HistoryFilter): Promise<HistoryEntry[]> {
  const runs = filter.cached === true ? [] : await listRuns(db, filter);
  const executed = runs.map((run) => ({ at: run.startedAt, seq: 0, id: run.id, run, served: null }));
  const served = filter.cached === false ? [] : await servedRuns(db, filter);
  return [...executed, ...served].sort(newestFirst).slice(0, filter.limit);
}

/** By their time first, as the whole list: after the clock was set back, a later record may have an earlier time. */
async function servedRuns(db: Database, { skill, status, after, limit }: HistoryFilter) {
  const { where, values } = whereOf([
    [IS_SERVED],
    ["skill_name = ?", skill],
    ["status = ?", status],
    ["(e.created_at, e.seq) < (?, ?)", after?.at, after?.seq],
  ]);
  const rows = await db.all(
    `SELECT ${RUN_COLUMNS}, e.seq, e.created_at AS at, e.actor, e.plan_id AS served_plan, e.task_id AS served_task
     FROM task_events e JOIN skill_runs ON skill_run_id = e.run_id ${where}
     ORDER BY e.created_at DESC, e.seq DESC LIMIT ?`,
    [...values, limit],
  );
  return rows.map(({ seq, at, actor, served_plan: planId, served_task: taskId, ...row }) => {
    const run = runOf(row);
    const served = { seq, at, actor, planId, taskId } as unknown as Served;
    return { at: served.at, seq: served.seq, id: run.id, run, served };
  });
}

function newestFirst(a: HistoryPlace, b: HistoryPlace): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  return b.seq - a.seq || (a.id < b.id ? 1 : -1);
}

export function servedAgain(db: Database, runId: string, limit: number): Promise<Served[]> {
  return rowsOf<Served>(
    db,
    `SELECT e.seq, e.created_at AS at, e.actor, e.plan_id AS "planId", e.task_id AS "taskId" FROM task_events e
     WHERE e.run_id = ? AND ${IS_SERVED} ORDER BY e.seq DESC LIMIT ?`,
    [runId, limit],
  );
}

/** Who asked for a run; `null` while it runs, because its record is written at its end. */
export async function actorOf(db: Database, runId: string): Promise<string | null> {
  const row = await db.get(
    "SELECT actor FROM task_events WHERE run_id = ? AND event_type = 'SKILL_RUN' ORDER BY seq LIMIT 1",
    [runId],
  );
  return row ? String(row.actor) : null;
}

/** Not sorted by the database, which would then read all runs instead of the running ones. */
export async function runningRuns(db: Database) {
  const rows = await rowsOf<Readonly<Record<"id" | "skill" | "started_at", string>>>(
    db,
    "SELECT skill_run_id AS id, skill_name AS skill, started_at FROM skill_runs WHERE status = 'RUNNING'",
  );
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export type WorkCounts = Awaited<ReturnType<typeof workCounts>>;

/** How much work there is. `now`: the time of the database, because the leases of workers are. */
export async function workCounts(db: Database, now: Date) {
  // The condition is that of the index, so that finished runs, however many, are not read.
  const rows = await db.all(
    "SELECT state, COUNT(*) AS runs FROM queued_runs WHERE state IN ('WAITING', 'RUNNING', 'FAILED', 'DEAD') GROUP BY state",
  );
  const runs = new Map(rows.map((row) => [row.state, Number(row.runs)]));
  const of = (state: string): number => runs.get(state) ?? 0;
  const workers = await db.get("SELECT COUNT(*) AS workers FROM workers WHERE lease_until > ?", [
    now.toISOString(),
  ]);
  const last = await db.get("SELECT MAX(seq) AS seq FROM task_events");
  return {
    queued: { waiting: of("WAITING"), running: of("RUNNING"), failed: of("FAILED"), dead: of("DEAD") },
    workers: Number(workers?.workers ?? 0),
    auditRecords: Number(last?.seq ?? 0),
  };
}
