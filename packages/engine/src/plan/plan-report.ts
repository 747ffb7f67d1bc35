import { type Database, rowsOf } from "../store/database.ts";
import type { BlockedReason, PlanTask, Requirement, RequirementKind, TaskStatus } from "./plan.ts";
import { readTasks, type TaskRow } from "./plan-rows.ts";
import { isSatisfied } from "./readiness.ts";

/** `knack plan status --json`. */
export interface PlanStatus {
  readonly plan: string;
  readonly tasks: readonly TaskReport[];
}

export interface TaskReport {
  readonly id: string;
  readonly title: string;
  readonly status: TaskStatus;
  readonly blocked_reason: BlockedReason | null;
  readonly depends_on: readonly string[];
  readonly requirements: readonly {
    readonly name: string;
    readonly kind: RequirementKind;
    readonly required: boolean;
    readonly min_count: number;
    readonly have: number;
    readonly satisfied: boolean;
  }[];
  /** The last run that the plan made for it. */
  readonly run?: string;
  /** Of `plan run`: whether this time the result came from an earlier run. */
  readonly cached?: boolean;
  /** Of `plan run`: why it was refused or failed. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Of `plan run`: edited files that were in the place of an artifact, and where they are kept. */
  readonly kept?: readonly { readonly path: string; readonly kept_as: string }[];
}

/** What `plan run` found out about a task beyond the database. */
export type TaskOutcome = Pick<TaskReport, "cached" | "error" | "kept">;

export async function planStatus(
  db: Database,
  planId: string,
  outcomes: ReadonlyMap<string, TaskOutcome> = new Map(),
): Promise<PlanStatus> {
  const tasks = await readTasks(db, planId);
  return { plan: planId, tasks: tasks.map((task) => ({ ...reportOf(task), ...outcomes.get(task.id) })) };
}

function reportOf(task: TaskRow): TaskReport {
  return {
    id: task.id,
    title: task.title,
    status: task.status,
    blocked_reason: task.blockedReason,
    depends_on: task.dependsOn,
    requirements: task.requirements.map((requirement) => ({
      name: requirement.name,
      kind: requirement.kind,
      required: requirement.required,
      min_count: requirement.minCount,
      have: requirement.have,
      satisfied: isSatisfied(requirement, requirement.have),
    })),
    ...(task.runId === null ? {} : { run: task.runId }),
  };
}

interface ShownEvidence {
  readonly type: string;
  readonly kind: string | null;
  readonly run: string | null;
  readonly path: string | null;
  readonly sha256: string | null;
  /** Who confirmed it, where that is known. */
  readonly by: string | null;
  readonly created_at: string;
}

async function evidenceOfPlan(db: Database, planId: string): Promise<Map<string, ShownEvidence[]>> {
  type Found = ShownEvidence & { readonly requirement: string; readonly data: string };
  const rows = await rowsOf<Found>(
    db,
    `SELECT e.requirement_id AS requirement, e.data_json AS data, e.evidence_type AS type, e.kind, e.ref_id AS run,
       e.ref_path AS path, e.sha256, e.created_at
     FROM evidences e JOIN input_requirements r ON r.requirement_id = e.requirement_id
     WHERE r.plan_id = ? ORDER BY e.created_at, e.evidence_id`,
    [planId],
  );
  const found = new Map<string, ShownEvidence[]>();
  for (const { requirement, data, ...row } of rows) {
    const { confirmed_by: by }: { confirmed_by?: unknown } = JSON.parse(data);
    const evidence = { ...row, by: typeof by === "string" ? by : null };
    found.set(requirement, [...(found.get(requirement) ?? []), evidence]);
  }
  return found;
}

/** A plan with everything that a page needs: what each task is, has and waits for. */
export interface PlanView {
  readonly plan: string;
  readonly title: string;
  /** The file that was applied, as an absolute path. */
  readonly file: string;
  readonly updated_at: string;
  readonly tasks: readonly TaskView[];
}

export interface TaskView extends Omit<TaskReport, "requirements"> {
  readonly skill: string | null;
  readonly failures: number;
  readonly inputs: PlanTask["inputs"];
  readonly params: PlanTask["params"];
  readonly requirements: readonly RequirementView[];
  /** What has to happen before it can go on; empty if nothing. */
  readonly waits_for: readonly Wait[];
}

type RequirementView = TaskReport["requirements"][number] & {
  readonly allowed_types: readonly string[];
  readonly skill: string | null;
  readonly evidence: string | null;
  readonly evidences: readonly ShownEvidence[];
};

export interface Wait {
  readonly kind: "task" | "file" | "confirmation" | "skill" | "failure";
  /** The task or the requirement; empty for a failure. */
  readonly name: string;
  readonly text: string;
}

/** The state of a plan in detail; `null` if no plan of this id was applied. */
export async function planView(db: Database, id: string): Promise<PlanView | null> {
  const plan = await db.get("SELECT title, path, updated_at FROM plans WHERE plan_id = ?", [id]);
  if (!plan) return null;
  const tasks = await readTasks(db, id);
  const rows = await db.all("SELECT task_id, data_json FROM task_nodes WHERE plan_id = ?", [id]);
  const declared = new Map(
    rows.map((row) => [String(row.task_id), JSON.parse(String(row.data_json)) as Partial<PlanTask>]),
  );
  const evidences = await evidenceOfPlan(db, id);
  const status = new Map(tasks.map((task) => [task.id, task.status]));
  return {
    plan: id,
    title: String(plan.title),
    file: String(plan.path),
    updated_at: String(plan.updated_at),
    tasks: tasks.map((task) => {
      const { inputs = [], params = {} } = declared.get(task.id) ?? {};
      const report = reportOf(task);
      return {
        ...report,
        skill: task.skill,
        failures: task.failures,
        inputs,
        params,
        requirements: task.requirements.map((requirement, place) => ({
          ...(report.requirements[place] as TaskReport["requirements"][number]),
          allowed_types: requirement.allowedTypes,
          skill: requirement.skill,
          evidence: requirement.evidence,
          evidences: evidences.get(requirement.id) ?? [],
        })),
        waits_for: waitsOf(task, status),
      };
    }),
  };
}

function waitsOf(task: TaskRow, status: ReadonlyMap<string, string>): Wait[] {
  if (task.status === "DONE" || task.status === "ABANDONED" || task.status === "IN_PROGRESS") return [];
  const before = task.dependsOn
    .filter((id) => status.get(id) !== "DONE")
    .map((id): Wait => ({ kind: "task", name: id, text: `The task ${id} must be done.` }));
  const missing = task.requirements
    .filter((requirement) => requirement.required && !isSatisfied(requirement, requirement.have))
    .map((requirement) => requirementWait(requirement, requirement.have));
  const failed: Wait[] =
    task.blockedReason === "WAITING_EXTERNAL"
      ? [
          {
            kind: "failure",
            name: "",
            text: "It failed three times in a row. Edit the plan or add evidence to try again.",
          },
        ]
      : [];
  return [...before, ...missing, ...failed];
}

function requirementWait(requirement: Requirement, have: number): Wait {
  const { name, kind, minCount, allowedTypes, skill, evidence } = requirement;
  if (kind === "CONFIRMATION") return { kind: "confirmation", name, text: `Confirm ${name}.` };
  if (kind === "SKILL_OUTPUT") {
    const what = evidence === null ? "" : ` that returns ${evidence}`;
    return { kind: "skill", name, text: `Run ${skill ?? "a skill"}${what} for this task (${name}).` };
  }
  const types = allowedTypes.length === 0 ? "" : ` (${allowedTypes.join(", ")})`;
  const count = minCount === 1 ? "a file" : `${minCount} files, ${have} so far`;
  return { kind: "file", name, text: `Attach ${count} as ${name}${types}.` };
}

export interface ListedPlan {
  readonly plan: string;
  readonly title: string;
  readonly tasks: number;
  readonly done: number;
  readonly updated_at: string;
}

export function listPlans(db: Database): Promise<ListedPlan[]> {
  return rowsOf<ListedPlan>(
    db,
    `SELECT plans.plan_id AS plan, plans.title, COUNT(task_nodes.task_id) AS tasks,
       COALESCE(SUM(CASE WHEN task_nodes.status = 'DONE' THEN 1 ELSE 0 END), 0) AS done, plans.updated_at
     FROM plans LEFT JOIN task_nodes ON task_nodes.plan_id = plans.plan_id
     GROUP BY plans.plan_id, plans.title, plans.updated_at ORDER BY plans.plan_id`,
  );
}
