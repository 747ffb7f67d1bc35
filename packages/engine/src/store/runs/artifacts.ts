import type { Database } from "../database.ts";
import { newId, type RowRef, type TaskRef } from "../store.ts";
import type { RunArtifact } from "./runs.ts";

export type NewArtifact = Omit<RunArtifact, "version">;

interface Added {
  readonly added: readonly RunArtifact[];
  readonly rows: readonly RowRef[];
}

interface Owner extends TaskRef {
  readonly runId: string;
}

/**
 * Adds the artifacts of a run for a task, in the run's transaction. The same bytes keep their version, other bytes get the
 * next.
 */
export async function addArtifacts(
  tx: Database,
  owner: Owner,
  artifacts: readonly NewArtifact[],
  now: Date,
): Promise<Added> {
  const added: RunArtifact[] = [];
  const rows: RowRef[] = [];
  for (const artifact of artifacts) {
    const version = await versionOf(tx, owner, artifact);
    const id = newId(now);
    await tx.run(
      `INSERT INTO artifacts (artifact_id, skill_run_id, plan_id, task_id, name, path, sha256, size_bytes, format,
         version, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        id,
        owner.runId,
        owner.planId,
        owner.taskId,
        artifact.name,
        artifact.path,
        artifact.sha256,
        artifact.size_bytes,
        artifact.format,
        version,
        now.toISOString(),
      ],
    );
    added.push({ ...artifact, version });
    rows.push({ table: "artifacts", key: [id] });
  }
  return { added, rows };
}

/**
 * The same for a task that is served from an earlier run: artifacts that the task already has from that run are not added
 * again.
 */
export async function addCachedArtifacts(
  tx: Database,
  owner: Owner,
  artifacts: readonly RunArtifact[],
  now: Date,
): Promise<Added> {
  const rows = await tx.all("SELECT name, plan_id, task_id FROM artifacts WHERE skill_run_id = ?", [
    owner.runId,
  ]);
  const there = rows.filter((row) => row.plan_id === owner.planId && row.task_id === owner.taskId);
  const names = new Set(there.map((row) => row.name));
  const missing = artifacts.filter((artifact) => !names.has(artifact.name));
  return addArtifacts(tx, owner, missing, now);
}

/** The rows of a task, or of none. PostgreSQL uses an index for `IS NULL`, but not for `IS NOT DISTINCT FROM`. */
function ofTask(
  { planId, taskId }: TaskRef,
  prefix = "",
): { readonly sql: string; readonly values: readonly string[] } {
  const is = (column: string, value: string | null): string =>
    value === null ? `${prefix}${column} IS NULL` : `${prefix}${column} = ?`;
  return {
    sql: `${is("plan_id", planId)} AND ${is("task_id", taskId)}`,
    values: [planId, taskId].filter((value) => value !== null),
  };
}

async function versionOf(tx: Database, task: TaskRef, artifact: NewArtifact): Promise<number> {
  const of = ofTask(task);
  const ofName = `name = ? AND ${of.sql}`;
  const name = [artifact.name, ...of.values];
  const same = await tx.get(`SELECT version FROM artifacts WHERE ${ofName} AND sha256 = ? LIMIT 1`, [
    ...name,
    artifact.sha256,
  ]);
  if (same) return Number(same.version);
  const last = await tx.get(`SELECT MAX(version) AS version FROM artifacts WHERE ${ofName}`, name);
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
