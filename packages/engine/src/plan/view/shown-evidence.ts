import type { Database } from "../../store/database.ts";

/** Evidence for a requirement, as it is shown. */
export interface ShownEvidence {
  readonly type: string;
  readonly kind: string | null;
  readonly run: string | null;
  readonly path: string | null;
  readonly sha256: string | null;
  /** Who confirmed it, where that is known. */
  readonly by: string | null;
  readonly created_at: string;
}

/** All evidence of a plan by the id of its requirement, oldest first. */
export async function evidenceOfPlan(db: Database, planId: string): Promise<Map<string, ShownEvidence[]>> {
  const rows = await db.all(
    `SELECT e.* FROM evidences e JOIN input_requirements r ON r.requirement_id = e.requirement_id
     WHERE r.plan_id = ? ORDER BY e.created_at, e.evidence_id`,
    [planId],
  );
  const shown = rows.map((row) => {
    const data: { confirmed_by?: unknown } = JSON.parse(String(row.data_json));
    return {
      requirement: String(row.requirement_id),
      type: String(row.evidence_type),
      kind: row.kind as string | null,
      run: row.ref_id as string | null,
      path: row.ref_path as string | null,
      sha256: row.sha256 as string | null,
      by: typeof data.confirmed_by === "string" ? data.confirmed_by : null,
      created_at: String(row.created_at),
    };
  });
  const grouped = Map.groupBy(shown, ({ requirement }) => requirement);
  return new Map(
    [...grouped].map(([id, all]) => [id, all.map(({ requirement: _, ...evidence }) => evidence)]),
  );
}
