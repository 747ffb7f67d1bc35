import type { Store } from "../../store/store.ts";

/** Names a content as an artifact of a recorded run does. */
export async function nameAsArtifact({ db }: Store, sha256: string): Promise<void> {
  await db.run(
    `INSERT INTO artifacts (artifact_id, skill_run_id, name, path, sha256, size_bytes, format, version, created_at)
     VALUES (?, 'r', 'n', 'p', ?, 1, 'txt', 1, '2026-01-01')`,
    [`a-${sha256}`, sha256],
  );
}

/** Names it in the column of an evidence, or only in its data. */
export async function nameAsEvidence({ db }: Store, sha256: string, inData: boolean): Promise<void> {
  await db.run(
    `INSERT INTO evidences (evidence_id, requirement_id, evidence_type, sha256, data_json, created_at)
     VALUES (?, 'q', 'FILE', ?, ?, '2026-01-01')`,
    [`e-${sha256}`, inData ? null : sha256, inData ? JSON.stringify({ sha256 }) : "{}"],
  );
}

/** Names it as an input of a queued run in this state. */
export async function nameAsQueued({ db }: Store, sha256: string, state: string): Promise<void> {
  await db.run(
    `INSERT INTO queued_runs (queue_id, job_id, lane, state, skill_name, priority, flow, turn, tags_json, request_json,
       queued_by, queued_at) VALUES (?, 'j', 'l', ?, 'x', 0, 'f', 0, '[]', ?, 'test', '2026-01-01')`,
    [`q-${sha256}`, state, JSON.stringify({ inputs: [{ sha256, size: 1 }] })],
  );
}
