import { type Database, rowsOf } from "../store/database.ts";
import type { KeptEdit } from "../store/runs/finish.ts";
import { type RequirementRow, readTasks, type TaskRow } from "./plan-rows.ts";
import { isSatisfied } from "./readiness.ts";

/** What `plan run` found out about a task beyond the database. */
export interface TaskOutcome {
  /** Whether this time the result came from an earlier run. */
  readonly cached?: boolean;
  /** Why it was refused or failed. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Edited files that were in the place of an artifact, and where they are kept. */
  readonly kept?: readonly KeptEdit[];
}

/** `knack plan status --json`. */
export interface PlanStatus {
  readonly plan: string;
  readonly tasks: readonly TaskReport[];
}

export type TaskReport = ReturnType<typeof reportOf> & {
  /** What is missing, and the skill or the command that gives it. */
  readonly waits_for: readonly ReturnType<typeof givenBy>[];
} & TaskOutcome;

export async function planStatus(
  db: Database,
  planId: string,
  outcomes: ReadonlyMap<string, TaskOutcome> = new Map(),
): Promise<PlanStatus> {
  const tasks = await readTasks(db, planId);
  return {
    plan: planId,
    tasks: tasks.map((task) => ({
      ...reportOf(task),
      waits_for: missingOf(task).map((requirement) => givenBy(requirement, task, tasks)),
      ...outcomes.get(task.id),
    })),
  };
}

/** `READY`, `BLOCKED WAITING_INPUT`. */
export function taskState({ status, blocked_reason }: TaskReport): string {
  return blocked_reason === null ? status : `${status} ${blocked_reason}`;
}

/** What a task needs, or what became of it, in words. */
export function taskNeeds(task: TaskReport): string[] {
  const { status, depends_on, requirements, error, blocked_reason, cached } = task;
  const missing = requirements.filter(({ satisfied, required }) => required && !satisfied);
  return [
    ...(status === "PENDING" ? depends_on.map((before) => `after ${before}`) : []),
    ...missing.map(({ name, kind, have, min_count }) => `${name}: ${kind} ${have}/${min_count}`),
    ...(error ? [`${error.code}: ${error.message}`] : []),
    ...(blocked_reason === "WAITING_EXTERNAL"
      ? ["failed three times in a row; edit the plan or add evidence to try again"]
      : []),
    ...(cached ? ["from an earlier run"] : []),
  ];
}

/** Whether a person has to look at it. */
export function needsAttention({ error, status, blocked_reason }: TaskReport): boolean {
  return error !== undefined || status === "FAILED" || blocked_reason === "WAITING_EXTERNAL";
}

/** What has to be given before a task can run. */
export function missingOf({ status, requirements }: TaskRow): RequirementRow[] {
  if (status === "DONE" || status === "ABANDONED" || status === "IN_PROGRESS") return [];
  return requirements.filter((one) => one.required && !isSatisfied(one));
}

/** The skill or the command that gives what is missing. Ids and names of skills are words that a shell takes as they are. */
function givenBy(
  { name, kind, skill, task: named, evidences }: RequirementRow,
  task: TaskRow,
  all: readonly TaskRow[],
) {
  const id = `${task.planId}/${task.id}`;
  const add = `knack evidence add ${id} ${name}`;
  if (kind === "CONFIRMATION") return { requirement: name, kind, command: `${add} --confirm` };
  if (kind === "FILE") return { requirement: name, kind, command: `${add} --file <path>` };
  // One that waits for an output itself may wait for this very task; one that has given its output gives no more.
  const maker = all.find((one) =>
    named === null
      ? one.id !== task.id &&
        one.skill !== null &&
        one.skill === skill &&
        one.blockedReason !== "WAITING_SKILL" &&
        !evidences.some(({ run }) => run === one.runId)
      : one.id === named,
  );
  const by = skill ?? maker?.skill ?? null;
  const command = maker
    ? "knack plan run <plan.yaml>"
    : `knack run ${by ?? "<skill>"} --input <path> --task ${id}`;
  return { requirement: name, kind, ...(by === null ? {} : { skill: by }), command };
}

function reportOf({ id, title, status, blockedReason, dependsOn, requirements, runId }: TaskRow) {
  return {
    id,
    title,
    status,
    blocked_reason: blockedReason,
    depends_on: dependsOn,
    requirements: requirements.map((requirement) => {
      const { name, kind, required, minCount, have } = requirement;
      return { name, kind, required, min_count: minCount, have, satisfied: isSatisfied(requirement) };
    }),
    /** The last run that the plan made for it. */
    ...(runId !== null && { run: runId }),
  };
}

export type PlanView = NonNullable<Awaited<ReturnType<typeof planView>>>;

/** A plan with everything that a page needs; `null` if no plan of this id was applied. `file`: what was applied. */
export async function planView(db: Database, id: string) {
  const [plan] = await rowsOf<{ readonly title: string; readonly file: string; readonly updated_at: string }>(
    db,
    "SELECT title, path AS file, updated_at FROM plans WHERE plan_id = ?",
    [id],
  );
  if (!plan) return null;
  const tasks = await readTasks(db, id);
  const status = new Map(tasks.map((task) => [task.id, task.status]));
  return {
    plan: id,
    ...plan,
    tasks: tasks.map((task) => {
      const { skill, failures, inputs, params } = task;
      const report = reportOf(task);
      const requirements = task.requirements.map(({ allowedTypes, skill, evidence, evidences }, place) => ({
        ...(report.requirements[place] as (typeof report.requirements)[number]),
        allowed_types: allowedTypes,
        skill,
        evidence,
        evidences: evidences.map(({ skill: _, inputs: __, ...shown }) => shown),
      }));
      return { ...report, skill, failures, inputs, params, requirements, waits_for: waitsOf(task, status) };
    }),
  };
}

interface Wait {
  readonly kind: "task" | "file" | "confirmation" | "skill" | "failure";
  /** The task or the requirement; empty for a failure. */
  readonly name: string;
  readonly text: string;
}

/** What has to happen before a task can go on; empty if nothing. */
function waitsOf(task: TaskRow, status: ReadonlyMap<string, string>): Wait[] {
  if (task.status === "DONE" || task.status === "ABANDONED" || task.status === "IN_PROGRESS") return [];
  const before = task.dependsOn
    .filter((id) => status.get(id) !== "DONE")
    .map((id): Wait => ({ kind: "task", name: id, text: `The task ${id} must be done.` }));
  const missing = missingOf(task).map(requirementWait);
  const text = "It failed three times in a row. Edit the plan or add evidence to try again.";
  const failed: Wait = { kind: "failure", name: "", text };
  return [...before, ...missing, ...(task.blockedReason === "WAITING_EXTERNAL" ? [failed] : [])];
}

function requirementWait(requirement: RequirementRow): Wait {
  const { name, kind, minCount, have, allowedTypes, skill, evidence, task } = requirement;
  if (kind === "CONFIRMATION") return { kind: "confirmation", name, text: `Confirm ${name}.` };
  if (task !== null) return { kind: "skill", name, text: `The task ${task} gives ${name}.` };
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
