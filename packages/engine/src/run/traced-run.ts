import { count, measure, span } from "@knack/core/internal/engine";
import type { FinishedRun } from "./run-skill.ts";

/** A whole run as a span, with what a record also says of it; counted once it has ended. */
export function tracedRun(work: () => Promise<FinishedRun>): Promise<FinishedRun> {
  return span("run", {}, async (traced) => {
    const began = performance.now();
    const finished = await work();
    const { run, cached, task } = finished;
    const { skill, status, error } = run;
    traced.set({
      "knack.skill.name": skill,
      "knack.run.id": run.id,
      "knack.run.key": run.key,
      "knack.run.status": status,
      "knack.run.cached": cached,
      "knack.run.isolation": run.isolation,
      "knack.plan.id": task.planId,
      "knack.task.id": task.taskId,
    });
    if (error) traced.fail(error.code);
    const labels = { "knack.skill.name": skill, "knack.run.status": status, "knack.run.cached": cached };
    count("knack.runs", labels);
    if (cached) count("knack.cache.hits", { "knack.skill.name": skill });
    measure("knack.run.duration", began, labels);
    return finished;
  });
}
