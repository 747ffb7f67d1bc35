import { quote } from "@knack/core/internal/engine";
import { segmentProblem } from "../../registry/path-segment.ts";
import { NO_TASK, type RunBinding } from "../../run/run-skill.ts";
import { EngineError } from "../../shared/engine-error.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { findTask } from "./find-task.ts";
import { taskBinding } from "./task-binding.ts";

/** As for a part of an artifact's path. */
const MAX_BYTES = 200;

/**
 * What `--task` means: `task` or `plan/task` of an applied plan. A word that no plan knows is refused, and so is one that
 * could never be a task's, before a database is made for it.
 */
export async function bindingOf(
  history: () => Promise<Database>,
  openStore: () => Promise<Store>,
  task: string | undefined,
): Promise<RunBinding> {
  if (task === undefined) return NO_TASK;
  for (const part of task.split("/")) {
    const isLong = Buffer.byteLength(part) > MAX_BYTES;
    const problem = segmentProblem(part) ?? (isLong ? `has more than ${MAX_BYTES} bytes.` : undefined);
    if (problem === undefined) continue;
    const which = part === task ? "" : `: the part ${quote(part)}`;
    throw new EngineError("INVALID_PARAM", `E_ARTIFACT_PATH: The task ${quote(task)}${which} ${problem}`);
  }
  const { planId, id } = await findTask(await history(), task);
  return taskBinding(await openStore(), { planId, taskId: id }, false);
}
