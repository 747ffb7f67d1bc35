import type { ProducedEvidence } from "../../shared/skill-function.ts";
import type { Database, Parameter, Row } from "../database.ts";
import { StoreError, type TaskRef } from "../store.ts";

export type RunStatus = "RUNNING" | "SUCCEEDED" | "FAILED";

export interface RunArtifact {
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly size_bytes: number;
  readonly format: string;
  /** The version of this name in this task. */
  readonly version: number;
}

export interface RunInput {
  readonly role: string;
  readonly kind: string;
  readonly path: string;
  readonly sha256: string;
  readonly size_bytes: number;
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

export function runOf(row: Row): SkillRun {
  const text = (column: string): string => String(row[column]);
  const optional = (column: string): string | null => (row[column] === null ? null : text(column));
  const errorCode = optional("error_code");
  return {
    id: text("skill_run_id"),
    planId: optional("plan_id"),
    taskId: optional("task_id"),
    skill: text("skill_name"),
    skillVersion: text("skill_version"),
    implementation: text("implementation"),
    implementationDigest: text("implementation_digest"),
    key: text("idempotency_key"),
    status: text("status") as RunStatus,
    leaseUntil: text("lease_until"),
    holder: text("holder"),
    inputs: jsonOf(row, "inputs_json"),
    params: jsonOf(row, "params_json"),
    artifacts: jsonOf(row, "output_artifacts_json"),
    evidences: jsonOf(row, "output_evidences_json"),
    error: errorCode === null ? null : { code: errorCode, message: optional("error_message") ?? "" },
    isolation: optional("isolation"),
    logTail: text("log_tail"),
    startedAt: text("started_at"),
    finishedAt: optional("finished_at"),
  };
}

/** Knack writes valid JSON; anything else was written by another program. */
function jsonOf<T>(row: Row, column: string): T {
  try {
    return JSON.parse(String(row[column])) as T;
  } catch (error) {
    throw new StoreError("CORRUPT", `${column} of run ${String(row.skill_run_id)} is not JSON.`, {
      cause: error,
    });
  }
}

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

/** How much work there is: runs in the queue by state, workers with a lease, and the records of the log. */
export interface WorkCounts {
  readonly queued: Readonly<Record<"waiting" | "running" | "failed" | "dead", number>>;
  readonly workers: number;
  readonly auditRecords: number;
}

/** `now`: the time of the database, because the leases of workers are. */
export async function workCounts(db: Database, now: Date): Promise<WorkCounts> {
  // The condition is that of the index, so that finished runs, however many, are not read.
  const rows = await db.all(
    "SELECT state, COUNT(*) AS runs FROM queued_runs WHERE state IN ('WAITING', 'RUNNING', 'FAILED', 'DEAD') GROUP BY state",
  );
  const runs = new Map(rows.map((row) => [row.state, Number(row.runs)]));
  const workers = await db.get("SELECT COUNT(*) AS workers FROM workers WHERE lease_until > ?", [
    now.toISOString(),
  ]);
  const last = await db.get("SELECT MAX(seq) AS seq FROM task_events");
  return {
    queued: {
      waiting: runs.get("WAITING") ?? 0,
      running: runs.get("RUNNING") ?? 0,
      failed: runs.get("FAILED") ?? 0,
      dead: runs.get("DEAD") ?? 0,
    },
    workers: Number(workers?.workers ?? 0),
    auditRecords: Number(last?.seq ?? 0),
  };
}
