import type { PlanTask } from "./plan.ts";

/** Every task after those it depends on, in the plan's own order where that leaves a choice; or a circle. */
export function orderTasks(
  tasks: readonly Pick<PlanTask, "id" | "dependsOn">[],
): { readonly order: readonly string[] } | { readonly cycle: readonly string[] } {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const done = new Set<string>();
  const order: string[] = [];
  for (const { id } of tasks) {
    // A stack of its own: a plan may be a chain of ten thousand tasks.
    const way: { id: string; next: number }[] = [{ id, next: 0 }];
    const onWay = new Set([id]);
    for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
      const before = done.has(step.id) ? [] : (byId.get(step.id)?.dependsOn ?? []);
      const next = before[step.next++];
      if (next === undefined) {
        way.pop();
        onWay.delete(step.id);
        if (!done.has(step.id)) order.push(step.id);
        done.add(step.id);
      } else if (onWay.has(next)) {
        const start = way.findIndex((earlier) => earlier.id === next);
        return { cycle: [...way.slice(start).map((earlier) => earlier.id), next] };
      } else if (byId.has(next) && !done.has(next)) {
        way.push({ id: next, next: 0 });
        onWay.add(next);
      }
    }
  }
  return { order };
}
