import type { Database } from "../../store/database.ts";
import type { PlanTask, Requirement } from "../plan.ts";
import { readTasks, type TaskRow } from "../plan-rows.ts";
import { reportOf, type TaskReport } from "../plan-status.ts";
import { isSatisfied } from "../readiness.ts";
import { evidenceOfPlan, type ShownEvidence } from "./shown-evidence.ts";

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
