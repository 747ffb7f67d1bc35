import { dirname, resolve } from "node:path";
import type { GivenInput } from "../run/prepare/assign-roles.ts";
import { EngineError } from "../shared/engine-error.ts";
import type { Database } from "../store/database.ts";
import { getRun } from "../store/runs/runs.ts";
import type { Plan, PlanTask } from "./plan.ts";
import { readTasks } from "./plan-rows.ts";

/** A task's inputs as absolute paths: files beside the plan, artifacts where the run of the task before put them. */
export async function taskInputs(
  db: Database,
  plan: Plan,
  task: PlanTask,
  projectRoot: string,
): Promise<GivenInput[]> {
  const rows = await readTasks(db, plan.id);
  return Promise.all(
    task.inputs.map(async (input) => {
      if ("file" in input) return { role: input.role, path: resolve(dirname(plan.file), input.file) };
      const runId = rows.find(({ id }) => id === input.task)?.runId ?? "";
      const artifacts = (await getRun(db, runId))?.artifacts ?? [];
      const artifact = artifacts.find(({ name }) => name === input.artifact);
      if (!artifact)
        throw new EngineError(
          "NOT_FOUND",
          `The task ${input.task} did not create the artifact "${input.artifact}".`,
        );
      return { role: input.role, path: resolve(projectRoot, artifact.path) };
    }),
  );
}
