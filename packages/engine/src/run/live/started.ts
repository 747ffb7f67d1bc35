import { AsyncLocalStorage } from "node:async_hooks";
import type { SkillRun } from "../../store/runs/skill-run.ts";

const listener = new AsyncLocalStorage<(run: SkillRun) => void>();

/**
 * Calls `started` with the run that `work` starts, or waits for because it is in progress elsewhere: the caller can answer
 * with its id and let `work` go on. A result from an earlier run starts none.
 */
export function followStart<T>(started: (run: SkillRun) => void, work: () => Promise<T>): Promise<T> {
  return listener.run(started, work);
}

export function tellStart(run: SkillRun): void {
  listener.getStore()?.(run);
}
