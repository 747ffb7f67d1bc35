import type { Database } from "../store/database.ts";
import type { BlockedReason, RequirementKind, TaskStatus } from "./plan.ts";
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

export function reportOf(task: TaskRow): TaskReport {
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
