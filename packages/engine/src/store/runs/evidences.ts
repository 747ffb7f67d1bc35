import type { Database } from "../database.ts";
import { newId, type RowRef } from "../store.ts";

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
