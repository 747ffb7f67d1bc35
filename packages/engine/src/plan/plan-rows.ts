import { hash } from "node:crypto";
import { extname } from "node:path";
import { canonicalJson, type JsonObject } from "../json/json.ts";
import { type Database, insertRow, type Parameter, rowsOf } from "../store/database.ts";
import type { RowRef } from "../store/store.ts";
import type { BlockedReason, Plan, PlanTask, Requirement, TaskStatus } from "./plan.ts";

/** A task as it was applied, and how it stands. */
export interface TaskRow extends PlanTask {
  readonly planId: string;
  readonly status: TaskStatus;
  readonly blockedReason: BlockedReason | null;
  readonly failures: number;
  /** The last run that the plan made for it. */
  readonly runId: string | null;
  readonly requirements: readonly RequirementRow[];
}

export interface RequirementRow extends Requirement {
  /** `plan/task/name`: the same after the plan was changed, so that evidence stays. */
  readonly id: string;
  /** Everything that was bound to it. */
  readonly evidences: readonly BoundEvidence[];
  /** How many of them speak for it as the plan has it now. */
  readonly have: number;
}

interface BoundEvidence {
  readonly type: string;
  readonly kind: string | null;
  readonly run: string | null;
  readonly path: string | null;
  /** Of a file or an output; of a confirmation, of the task as it was then. */
  readonly sha256: string | null;
  /** Of a confirmation: the digests of the task's inputs then, of those that were there. */
  readonly inputs: readonly string[];
  /** Who confirmed it, where that is known. */
  readonly by: string | null;
  readonly created_at: string;
  /** Of a skill's output: the skill that ran. */
  readonly skill: string | null;
}

/** What a person confirms with a task: the skill that it runs, on what, and how. */
export function taskDigest({ skill, inputs, params }: Pick<PlanTask, "skill" | "inputs" | "params">): string {
  return hash("sha256", canonicalJson({ skill, inputs, params } as unknown as JsonObject));
}

function requirementId(planId: string, taskId: string, name: string): string {
  return `${planId}/${taskId}/${name}`;
}

export async function readTasks(db: Database, planId: string): Promise<TaskRow[]> {
  type Node = Pick<TaskRow, "status" | "blockedReason" | "failures" | "runId"> & { readonly data: string };
  const nodes = await rowsOf<Node>(
    db,
    `SELECT data_json AS data, status, blocked_reason AS "blockedReason", failures, skill_run_id AS "runId"
     FROM task_nodes WHERE plan_id = ? ORDER BY position`,
    [planId],
  );
  const tasks = nodes.map(({ data, ...node }) => ({ ...(JSON.parse(data) as PlanTask), ...node, planId }));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const order = new Map(tasks.map(({ id }, place) => [id, place]));
  const hasRequirements = tasks.some(({ requirements }) => requirements.length > 0);
  const bound = hasRequirements ? await evidencesOf(db, planId) : new Map<string, BoundEvidence[]>();
  return tasks.map((task) => ({
    ...task,
    dependsOn: [...new Set(task.dependsOn)].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
    requirements: task.requirements.map((stored) => {
      // A plan that an earlier version applied has none.
      const requirement = { ...stored, task: stored.task ?? null };
      const id = requirementId(planId, task.id, requirement.name);
      const row = { ...requirement, id, evidences: bound.get(id) ?? [] };
      return { ...row, have: countEvidences(row, byId) };
    }),
  }));
}

async function evidencesOf(db: Database, planId: string): Promise<Map<string, BoundEvidence[]>> {
  type Found = BoundEvidence & { readonly requirement: string; readonly confirmation: string | null };
  const rows = await rowsOf<Found>(
    db,
    `SELECT e.requirement_id AS requirement, e.evidence_type AS type, e.kind, e.ref_id AS run, e.ref_path AS path,
       e.sha256, e.created_at, s.skill_name AS skill,
       CASE WHEN e.evidence_type = 'CONFIRMATION' THEN e.data_json END AS confirmation
     FROM evidences e JOIN input_requirements r ON r.requirement_id = e.requirement_id
     LEFT JOIN skill_runs s ON s.skill_run_id = e.ref_id WHERE r.plan_id = ? ORDER BY e.created_at, e.evidence_id`,
    [planId],
  );
  const found = new Map<string, BoundEvidence[]>();
  for (const { requirement, confirmation, ...row } of rows) {
    const { confirmed_by: by = null, task_sha256 = null, inputs = [] } = JSON.parse(confirmation ?? "{}");
    const evidence = { ...row, by, inputs, sha256: row.sha256 ?? task_sha256 };
    found.set(requirement, [...(found.get(requirement) ?? []), evidence]);
  }
  return found;
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
  const { title, skill, dependsOn, requirements } = task;
  const own = { plan_id: plan.id, task_id: task.id };
  await insertRow(
    tx,
    "task_nodes",
    {
      ...own,
      position,
      title,
      status: "PENDING",
      skill_name: skill,
      data_json: JSON.stringify(task),
      created_at: at,
      updated_at: at,
    },
    `ON CONFLICT (plan_id, task_id) DO UPDATE SET position = excluded.position, title = excluded.title,
       skill_name = excluded.skill_name, data_json = excluded.data_json, updated_at = excluded.updated_at, failures = 0`,
  );
  for (const depends_on of new Set(dependsOn)) await insertRow(tx, "task_edges", { ...own, depends_on });
  for (const [place, { name, kind, required, ...rules }] of requirements.entries())
    await insertRow(tx, "input_requirements", {
      requirement_id: requirementId(plan.id, task.id, name),
      ...own,
      position: place,
      name,
      kind,
      required: required ? 1 : 0,
      min_count: rules.minCount,
      allowed_types_json: JSON.stringify(rules.allowedTypes),
      validation_json: JSON.stringify({ filename_keywords: rules.filenameKeywords }),
      skill_name: rules.skill,
      evidence_kind: rules.evidence,
      created_at: at,
    });
}

/** Every row that belongs to a plan, with the evidence of its tasks: what a changed plan may write or remove. */
export async function planRowRefs(tx: Database, planId: string): Promise<RowRef[]> {
  const refs = async (
    table: RowRef["table"],
    key: string,
    where = "plan_id = ?",
    values: readonly Parameter[] = [planId],
  ): Promise<RowRef[]> => {
    const rows = await tx.all(`SELECT ${key} FROM ${table} WHERE ${where} ORDER BY ${key}`, values);
    return rows.map((row) => ({ table, key: Object.values(row).map(String) }));
  };
  const own = `${planId}/`;
  return [
    ...(await refs("plans", "plan_id")),
    ...(await refs("task_nodes", "plan_id, task_id")),
    ...(await refs("task_edges", "plan_id, task_id, depends_on")),
    ...(await refs("input_requirements", "requirement_id")),
    ...(await refs("evidences", "evidence_id", "substr(requirement_id, 1, ?) = ?", [own.length, own])),
  ];
}

/** How many evidences speak for a requirement as the plan has it now. A file that was bound again is still one file. */
export function countEvidences(
  requirement: Omit<RequirementRow, "have">,
  /** How each task stands: of a task that the requirement names, the last run counts, and only if the task is DONE. */
  tasks: ReadonlyMap<string, Pick<TaskRow, "status" | "runId">>,
): number {
  const speaking = requirement.evidences.filter((evidence) => speaksFor(requirement, evidence));
  if (requirement.kind === "FILE") return new Set(speaking.map(({ path }) => path)).size;
  if (requirement.task === null) return speaking.length;
  const maker = tasks.get(requirement.task);
  return maker?.status === "DONE" ? speaking.filter(({ run }) => run === maker.runId).length : 0;
}

function speaksFor(requirement: Requirement, { type, kind, path, skill }: BoundEvidence): boolean {
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
