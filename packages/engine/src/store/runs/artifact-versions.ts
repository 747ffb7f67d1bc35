import type { Database } from "../database.ts";
import { ofTask } from "./artifacts.ts";
import type { RunArtifact, SkillRun } from "./skill-run.ts";

/** A version of an artifact, and the run that made it first. */
export interface ArtifactVersion extends RunArtifact {
  readonly run: string;
  readonly created_at: string;
}

const MAX_VERSIONS = 500;

/** The versions of an artifact in the task of a run, by the same skill, newest first. */
export async function artifactVersions(
  db: Database,
  run: SkillRun,
  name: string,
): Promise<ArtifactVersion[]> {
  const of = ofTask(run, "a.");
  const rows = await db.all(
    `SELECT a.*, r.skill_run_id AS run FROM artifacts a JOIN skill_runs r ON r.skill_run_id = a.skill_run_id
     WHERE a.name = ? AND r.skill_name = ? AND ${of.sql}
     ORDER BY a.created_at, a.artifact_id`,
    [name, run.skill, ...of.values],
  );
  const versions = new Map<number, ArtifactVersion>();
  for (const row of rows) {
    const version = Number(row.version);
    if (versions.has(version)) continue;
    versions.set(version, {
      name: String(row.name),
      path: String(row.path),
      sha256: String(row.sha256),
      size_bytes: Number(row.size_bytes),
      format: String(row.format),
      version,
      run: String(row.run),
      created_at: String(row.created_at),
    });
  }
  return [...versions.values()].reverse().slice(0, MAX_VERSIONS);
}
