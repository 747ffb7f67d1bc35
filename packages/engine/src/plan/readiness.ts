import type { BlockedReason, PlanTask, Requirement, RequirementKind, TaskStatus } from "./plan.ts";

export interface TaskFacts {
  readonly status: TaskStatus;
  readonly dependsOn: readonly TaskStatus[];
  readonly requirements: readonly Counted[];
  /** Runs that failed since the last success, new evidence or changed plan. */
  readonly failures: number;
}

interface Counted extends Pick<Requirement, "kind" | "required" | "minCount"> {
  readonly have: number;
}

const MAX_FAILURES = 3;

const REASONS: Readonly<Record<RequirementKind, BlockedReason>> = {
  FILE: "WAITING_INPUT",
  CONFIRMATION: "WAITING_APPROVAL",
  SKILL_OUTPUT: "WAITING_SKILL",
};

/** READY: every task before is DONE, and all evidence is there. The first kind that is missing is why it is blocked. */
export function standingOf(facts: TaskFacts): {
  readonly status: TaskStatus;
  readonly blockedReason: BlockedReason | null;
} {
  const { status, dependsOn, requirements, failures } = facts;
  if (status === "ABANDONED" || status === "IN_PROGRESS") return { status, blockedReason: null };
  if (dependsOn.some((upstream) => upstream !== "DONE")) return { status: "PENDING", blockedReason: null };
  const missing = requirements.filter((one) => one.required && !isSatisfied(one));
  for (const kind of ["FILE", "CONFIRMATION", "SKILL_OUTPUT"] as const)
    if (missing.some((one) => one.kind === kind)) return { status: "BLOCKED", blockedReason: REASONS[kind] };
  if (status === "DONE") return { status, blockedReason: null };
  if (failures >= MAX_FAILURES) return { status: "BLOCKED", blockedReason: "WAITING_EXTERNAL" };
  return { status: status === "FAILED" ? "FAILED" : "READY", blockedReason: null };
}

type Before = Pick<PlanTask, "dependsOn" | "requirements">;

/** The tasks that must be DONE before this one can run: those that it depends on, and those whose output it requires. */
export function tasksBefore({ dependsOn, requirements }: Before): string[] {
  const needed = requirements.flatMap(({ task, required }) => (required && task !== null ? [task] : []));
  return [...new Set([...dependsOn, ...needed])];
}

export function isSatisfied({ minCount, have }: Pick<Counted, "minCount" | "have">): boolean {
  return have >= minCount;
}

/** Every task after those it depends on, in the plan's own order where that leaves a choice; or a circle. */
export function orderTasks(
  tasks: readonly (Before & Pick<PlanTask, "id">)[],
): { readonly order: readonly string[] } | { readonly cycle: readonly string[] } {
  const byId = new Map(tasks.map((task) => [task.id, tasksBefore(task)]));
  const done = new Set<string>();
  const order: string[] = [];
  for (const { id } of tasks) {
    // A stack of its own: a plan may be a chain of ten thousand tasks.
    const path: { id: string; next: number }[] = [{ id, next: 0 }];
    const onPath = new Set([id]);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const before = done.has(step.id) ? [] : (byId.get(step.id) ?? []);
      const next = before[step.next++];
      if (next === undefined) {
        path.pop();
        onPath.delete(step.id);
        if (!done.has(step.id)) order.push(step.id);
        done.add(step.id);
      } else if (onPath.has(next)) {
        const start = path.findIndex((earlier) => earlier.id === next);
        return { cycle: [...path.slice(start).map((earlier) => earlier.id), next] };
      } else if (byId.has(next) && !done.has(next)) {
        path.push({ id: next, next: 0 });
        onPath.add(next);
      }
    }
  }
  return { order };
}
