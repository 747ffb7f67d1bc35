import type { ProducedEvidence } from "../../shared/skill-function.ts";
import type { Row } from "../database.ts";
import type { TaskRef } from "../store.ts";
import { StoreError } from "../store-error.ts";

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

/** A row of `skill_runs`. */
export interface SkillRun extends TaskRef {
  readonly id: string;
  readonly skill: string;
  readonly skillVersion: string;
  readonly implementation: string;
  readonly implementationDigest: string;
  readonly key: string;
  readonly status: RunStatus;
  readonly leaseUntil: string;
  /** The process that holds or held it; see `holder.ts`. */
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
