import { type Database, type Row, rowsOf } from "../database.ts";
import type { RunArtifact } from "../runs/runs.ts";
import type { TaskRef } from "../store.ts";

/** The artifacts of a task, or of none, oldest first. */
export async function listArtifacts(
  db: Database,
  { planId, taskId }: TaskRef,
  name?: string,
): Promise<RunArtifact[]> {
  const all = await rowsOf<RunArtifact>(
    db,
    `SELECT * FROM artifacts WHERE ${taskId === null ? "plan_id IS NULL AND task_id IS NULL" : "plan_id = ? AND task_id = ?"}
     ORDER BY created_at, artifact_id`,
    taskId === null ? [] : [planId, taskId],
  );
  return all.filter((artifact) => name === undefined || artifact.name === name);
}

export function listEvidences(db: Database, requirementId: string): Promise<Row[]> {
  return db.all("SELECT * FROM evidences WHERE requirement_id = ? ORDER BY created_at, evidence_id", [
    requirementId,
  ]);
}
