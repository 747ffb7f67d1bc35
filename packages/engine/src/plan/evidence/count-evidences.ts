import { extname } from "node:path";
import type { Database } from "../../store/database.ts";
import type { Requirement } from "../plan.ts";

/** What decides whether an evidence still speaks for its requirement. */
export interface BoundEvidence {
  readonly type: string;
  readonly kind: string | null;
  readonly path: string | null;
  /** Of a skill's output: the skill that ran. */
  readonly skill: string | null;
}

/** All evidence of a plan, by the id of its requirement. */
export async function evidencesOf(db: Database, planId: string): Promise<Map<string, BoundEvidence[]>> {
  const rows = await db.all(
    `SELECT e.requirement_id, e.evidence_type, e.kind, e.ref_path, s.skill_name FROM evidences e
     JOIN input_requirements r ON r.requirement_id = e.requirement_id
     LEFT JOIN skill_runs s ON s.skill_run_id = e.ref_id WHERE r.plan_id = ?`,
    [planId],
  );
  const evidences = rows.map((row) => ({
    requirementId: String(row.requirement_id),
    type: String(row.evidence_type),
    kind: row.kind as string | null,
    path: row.ref_path as string | null,
    skill: row.skill_name as string | null,
  }));
  return Map.groupBy(evidences, ({ requirementId }) => requirementId);
}

/**
 * How many evidences speak for a requirement as the plan has it now: what was bound under its name when it asked for
 * something else does not. A file that was changed and bound again is still one file.
 */
export function countEvidences(
  requirement: Pick<Requirement, "kind" | "allowedTypes" | "skill" | "evidence">,
  evidences: readonly BoundEvidence[],
): number {
  const speaking = evidences.filter((evidence) => speaksFor(requirement, evidence));
  if (requirement.kind !== "FILE") return speaking.length;
  return new Set(speaking.map(({ path }) => path)).size;
}

function speaksFor(
  requirement: Pick<Requirement, "kind" | "allowedTypes" | "skill" | "evidence">,
  { type, kind, path, skill }: BoundEvidence,
): boolean {
  if (type !== requirement.kind) return false;
  if (type === "FILE") return hasAllowedType(path ?? "", requirement);
  if (type !== "SKILL_OUTPUT") return true;
  return (
    (requirement.skill === null || requirement.skill === skill) &&
    (requirement.evidence === null || requirement.evidence === kind)
  );
}

/** Whether a file's ending is one that a requirement takes. */
export function hasAllowedType(path: string, { allowedTypes }: Pick<Requirement, "allowedTypes">): boolean {
  return allowedTypes.length === 0 || allowedTypes.includes(extname(path).slice(1).toLowerCase());
}
