import type { Database } from "../database.ts";
import type { RowRef } from "../store.ts";
import { newId } from "./new-id.ts";

type EvidenceType = "FILE" | "CONFIRMATION" | "SKILL_OUTPUT";

/** Evidence for a requirement of a task; the plan decides for which one. */
export interface NewEvidence {
  readonly requirementId: string;
  readonly type: EvidenceType;
  /** For a skill's output: the kind that the skill declared, such as `FILE_HASH`. */
  readonly kind: string | null;
  /** For a skill's output: the run's id. */
  readonly refId: string | null;
  readonly refPath: string | null;
  /** Digest of the file or of the output's data: the same digest counts once. */
  readonly sha256: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredEvidence extends NewEvidence {
  readonly id: string;
  readonly createdAt: string;
}

/** Adds evidence that is not there yet; returns what was added, with its rows. */
export async function addEvidences(
  tx: Database,
  evidences: readonly NewEvidence[],
  now: Date,
): Promise<{ readonly added: NewEvidence[]; readonly rows: RowRef[] }> {
  const added: NewEvidence[] = [];
  const rows: RowRef[] = [];
  for (const evidence of evidences) {
    const id = newId(now);
    const { changes } = await tx.run(
      `INSERT INTO evidences (evidence_id, requirement_id, evidence_type, kind, ref_id, ref_path, sha256, data_json,
         created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      [
        id,
        evidence.requirementId,
        evidence.type,
        evidence.kind,
        evidence.refId,
        evidence.refPath,
        evidence.sha256,
        JSON.stringify(evidence.data),
        now.toISOString(),
      ],
    );
    if (changes !== 1) continue;
    added.push(evidence);
    rows.push({ table: "evidences", key: [id] });
  }
  return { added, rows };
}

export async function listEvidences(db: Database, requirementId: string): Promise<StoredEvidence[]> {
  const rows = await db.all(
    "SELECT * FROM evidences WHERE requirement_id = ? ORDER BY created_at, evidence_id",
    [requirementId],
  );
  return rows.map((row) => ({
    id: String(row.evidence_id),
    requirementId,
    type: row.evidence_type as EvidenceType,
    kind: row.kind as string | null,
    refId: row.ref_id as string | null,
    refPath: row.ref_path as string | null,
    sha256: row.sha256 as string | null,
    data: JSON.parse(String(row.data_json)) as Record<string, unknown>,
    createdAt: String(row.created_at),
  }));
}
