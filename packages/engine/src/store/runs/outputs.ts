import { type Database, insertRow } from "../database.ts";
import { newId, type RowRef, type TaskRef } from "../store.ts";
import type { RunArtifact } from "./runs.ts";

export type NewArtifact = Omit<RunArtifact, "version">;

interface Owner extends TaskRef {
  readonly runId: string;
}

interface Added<T> {
  readonly added: readonly T[];
  readonly rows: readonly RowRef[];
}

/** Adds the artifacts of a run for a task. The same bytes keep their version, other bytes get the next. */
export async function addArtifacts(
  tx: Database,
  owner: Owner,
  artifacts: readonly NewArtifact[],
  now: Date,
): Promise<Added<RunArtifact>> {
  const added: RunArtifact[] = [];
  const rows: RowRef[] = [];
  for (const made of artifacts) {
    const artifact = { ...made, version: await versionOf(tx, owner, made.name, made.sha256) };
    const artifact_id = newId(now);
    await insertRow(tx, "artifacts", {
      artifact_id,
      skill_run_id: owner.runId,
      plan_id: owner.planId,
      task_id: owner.taskId,
      ...artifact,
      created_at: now.toISOString(),
    });
    added.push(artifact);
    rows.push({ table: "artifacts", key: [artifact_id] });
  }
  return { added, rows };
}

/** The same for a task that is served from an earlier run: what it already has from that run is not added again. */
export async function addCachedArtifacts(
  tx: Database,
  owner: Owner,
  artifacts: readonly RunArtifact[],
  now: Date,
): Promise<Added<RunArtifact>> {
  const rows = await tx.all("SELECT name, plan_id, task_id FROM artifacts WHERE skill_run_id = ?", [
    owner.runId,
  ]);
  const there = rows.filter((row) => row.plan_id === owner.planId && row.task_id === owner.taskId);
  const names = new Set(there.map((row) => row.name));
  const missing = artifacts.filter((artifact) => !names.has(artifact.name));
  return addArtifacts(tx, owner, missing, now);
}

async function versionOf(tx: Database, { planId, taskId }: TaskRef, name: string, sha256: string) {
  // PostgreSQL uses an index for `IS NULL`, but not for `IS NOT DISTINCT FROM`.
  const is = (column: string, value: string | null) => `${column} ${value === null ? "IS NULL" : "= ?"}`;
  const ofName = `FROM artifacts WHERE name = ? AND ${is("plan_id", planId)} AND ${is("task_id", taskId)}`;
  const values = [name, planId, taskId].filter((value) => value !== null);
  const same = await tx.get(`SELECT version ${ofName} AND sha256 = ? LIMIT 1`, [...values, sha256]);
  if (same) return Number(same.version);
  const last = await tx.get(`SELECT MAX(version) AS version ${ofName}`, values);
  return Number(last?.version ?? 0) + 1;
}

/** Whether a run with another key has recorded these bytes at this path. */
export async function isMadeByAnother(
  db: Database,
  path: string,
  sha256: string,
  key: string,
): Promise<boolean> {
  const row = await db.get(
    `SELECT 1 AS found FROM artifacts JOIN skill_runs ON skill_runs.skill_run_id = artifacts.skill_run_id
     WHERE artifacts.path = ? AND artifacts.sha256 = ? AND skill_runs.idempotency_key <> ? LIMIT 1`,
    [path, sha256, key],
  );
  return row !== undefined;
}

/** Whether a run, perhaps of another machine, has recorded other bytes at this path. */
export async function isTakenPath(db: Database, path: string, sha256: string): Promise<boolean> {
  const sql = "SELECT 1 AS found FROM artifacts WHERE path = ? AND sha256 <> ? LIMIT 1";
  return (await db.get(sql, [path, sha256])) !== undefined;
}

/** Evidence for a requirement of a task; the plan decides for which one. */
export interface NewEvidence {
  readonly taskId: string;
  readonly requirementId: string;
  readonly type: "FILE" | "CONFIRMATION" | "SKILL_OUTPUT";
  /** For a skill's output: the kind that the skill declared, such as `FILE_HASH`. */
  readonly kind: string | null;
  /** For a skill's output: the run's id. */
  readonly refId: string | null;
  readonly refPath: string | null;
  /** Digest of the file or of the output's data: the same digest counts once. */
  readonly sha256: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function addEvidences(
  tx: Database,
  evidences: readonly NewEvidence[],
  now: Date,
): Promise<Added<NewEvidence>> {
  const added: NewEvidence[] = [];
  const rows: RowRef[] = [];
  for (const evidence of evidences) {
    const evidence_id = newId(now);
    const { requirementId, type, kind, refId, refPath, sha256, data } = evidence;
    const isNew = await insertRow(
      tx,
      "evidences",
      {
        evidence_id,
        requirement_id: requirementId,
        evidence_type: type,
        kind,
        ref_id: refId,
        ref_path: refPath,
        sha256,
        data_json: JSON.stringify(data),
        created_at: now.toISOString(),
      },
      "ON CONFLICT DO NOTHING RETURNING evidence_id",
    );
    if (!isNew) continue;
    added.push(evidence);
    rows.push({ table: "evidences", key: [evidence_id] });
  }
  return { added, rows };
}
