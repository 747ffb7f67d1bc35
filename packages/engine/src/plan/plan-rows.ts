import { extname } from "node:path";
import type { Database, Row } from "../store/database.ts";
import type { RowRef } from "../store/store.ts";
import type { BlockedReason, Plan, PlanTask, Requirement, RequirementKind, TaskStatus } from "./plan.ts";

export interface TaskRow {
  readonly planId: string;
  readonly id: string;
  readonly title: string;
  readonly skill: string | null;
  readonly status: TaskStatus;
  readonly blockedReason: BlockedReason | null;
  readonly failures: number;
  /** The last run that the plan made for it. */
  readonly runId: string | null;
  readonly dependsOn: readonly string[];
  readonly requirements: readonly RequirementRow[];
}

export interface RequirementRow extends Requirement {
  /** `plan/task/name`: the same after the plan was changed, so that evidence stays. */
  readonly id: string;
  readonly have: number;
}

function requirementId(planId: string, taskId: string, name: string): string {
  return `${planId}/${taskId}/${name}`;
}

export async function readTasks(db: Database, planId: string): Promise<TaskRow[]> {
  const nodes = await db.all("SELECT * FROM task_nodes WHERE plan_id = ? ORDER BY position", [planId]);
  const edges = byTask(await db.all("SELECT * FROM task_edges WHERE plan_id = ?", [planId]));
  const requirements = byTask(
    await db.all("SELECT * FROM input_requirements WHERE plan_id = ? ORDER BY position", [planId]),
  );
  const evidences = requirements.size === 0 ? new Map() : await evidencesOf(db, planId);
  const order = new Map(nodes.map((node, place) => [String(node.task_id), place]));
  return nodes.map((node) => {
    const id = String(node.task_id);
    return {
      planId,
      id,
      title: String(node.title),
      skill: node.skill_name === null ? null : String(node.skill_name),
      status: String(node.status) as TaskStatus,
      blockedReason: node.blocked_reason === null ? null : (String(node.blocked_reason) as BlockedReason),
      failures: Number(node.failures),
      runId: node.skill_run_id === null ? null : String(node.skill_run_id),
      dependsOn: (edges.get(id) ?? [])
        .map((edge) => String(edge.depends_on))
        .sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
      requirements: (requirements.get(id) ?? []).map((row) => {
        const requirement = requirementOf(row);
        return { ...requirement, have: countEvidences(requirement, evidences.get(requirement.id) ?? []) };
      }),
    };
  });
}

function byTask(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => String(row.task_id));
}

function requirementOf(row: Row): Omit<RequirementRow, "have"> {
  const validation: { filename_keywords?: string[] } = JSON.parse(String(row.validation_json));
  return {
    id: String(row.requirement_id),
    name: String(row.name),
    kind: String(row.kind) as RequirementKind,
    required: Number(row.required) === 1,
    minCount: Number(row.min_count),
    allowedTypes: JSON.parse(String(row.allowed_types_json)),
    filenameKeywords: validation.filename_keywords ?? [],
    skill: row.skill_name === null ? null : String(row.skill_name),
    evidence: row.evidence_kind === null ? null : String(row.evidence_kind),
  };
}

/** With its evidence: a task that comes back under the same name needs new evidence. */
export async function removeTask(tx: Database, planId: string, taskId: string): Promise<void> {
  const own = requirementId(planId, taskId, "");
  await tx.run("DELETE FROM evidences WHERE substr(requirement_id, 1, ?) = ?", [own.length, own]);
  await tx.run("DELETE FROM task_nodes WHERE plan_id = ? AND task_id = ?", [planId, taskId]);
}

export async function writeTask(
  tx: Database,
  plan: Plan,
  task: PlanTask,
  position: number,
  at: string,
): Promise<void> {
  await tx.run(
    `INSERT INTO task_nodes (plan_id, task_id, position, title, status, skill_name, data_json, created_at, updated_at)
     VALUES (?, ?, ?, ?, 'PENDING', ?, ?, ?, ?)
     ON CONFLICT (plan_id, task_id) DO UPDATE SET position = excluded.position, title = excluded.title,
       skill_name = excluded.skill_name, data_json = excluded.data_json, updated_at = excluded.updated_at, failures = 0`,
    [plan.id, task.id, position, task.title, task.skill, JSON.stringify(task), at, at],
  );
  for (const before of new Set(task.dependsOn))
    await tx.run("INSERT INTO task_edges (plan_id, task_id, depends_on) VALUES (?, ?, ?)", [
      plan.id,
      task.id,
      before,
    ]);
  for (const [place, requirement] of task.requirements.entries())
    await tx.run(
      `INSERT INTO input_requirements (requirement_id, plan_id, task_id, position, name, kind, required, min_count,
         allowed_types_json, validation_json, skill_name, evidence_kind, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        requirementId(plan.id, task.id, requirement.name),
        plan.id,
        task.id,
        place,
        requirement.name,
        requirement.kind,
        requirement.required ? 1 : 0,
        requirement.minCount,
        JSON.stringify(requirement.allowedTypes),
        JSON.stringify({ filename_keywords: requirement.filenameKeywords }),
        requirement.skill,
        requirement.evidence,
        at,
      ],
    );
}

/** Every row that belongs to a plan, with the evidence of its tasks: what a changed plan may write or remove. */
export async function planRowRefs(tx: Database, planId: string): Promise<RowRef[]> {
  const refs = (table: RowRef["table"], rows: readonly Row[]): RowRef[] =>
    rows.map((row) => ({ table, key: Object.values(row).map(String) }));
  const own = requirementId(planId, "", "").slice(0, -1);
  return [
    ...refs("plans", await tx.all("SELECT plan_id FROM plans WHERE plan_id = ?", [planId])),
    ...refs(
      "task_nodes",
      await tx.all("SELECT plan_id, task_id FROM task_nodes WHERE plan_id = ? ORDER BY position", [planId]),
    ),
    ...refs(
      "task_edges",
      await tx.all(
        "SELECT plan_id, task_id, depends_on FROM task_edges WHERE plan_id = ? ORDER BY task_id, depends_on",
        [planId],
      ),
    ),
    ...refs(
      "input_requirements",
      await tx.all(
        "SELECT requirement_id FROM input_requirements WHERE plan_id = ? ORDER BY requirement_id",
        [planId],
      ),
    ),
    ...refs(
      "evidences",
      await tx.all(
        "SELECT evidence_id FROM evidences WHERE substr(requirement_id, 1, ?) = ? ORDER BY evidence_id",
        [own.length, own],
      ),
    ),
  ];
}

/** What decides whether an evidence still speaks for its requirement. */
interface BoundEvidence {
  readonly type: string;
  readonly kind: string | null;
  readonly path: string | null;
  /** Of a skill's output: the skill that ran. */
  readonly skill: string | null;
}

async function evidencesOf(db: Database, planId: string): Promise<Map<string, BoundEvidence[]>> {
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
function countEvidences(
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
