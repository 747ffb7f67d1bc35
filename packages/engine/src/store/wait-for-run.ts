import { setTimeout as wait } from "node:timers/promises";
import { getRun } from "./runs.ts";
import type { SkillRun } from "./skill-run.ts";
import type { Store } from "./store.ts";

const SLOWEST_POLL_MS = 1000;

/**
 * Waits for a run that another holds: until it is finished, or its lease is over and its key can be claimed. It asks ever
 * less often, but never later than the end of the lease. Rejects with the signal's reason when that is aborted.
 */
export async function waitForRun(
  store: Pick<Store, "db" | "now">,
  runId: string,
  signal: AbortSignal,
  pollMs = 20,
): Promise<SkillRun | null> {
  for (let pause = pollMs; ; pause = Math.min(pause * 1.5, SLOWEST_POLL_MS)) {
    signal.throwIfAborted();
    const run = await getRun(store.db, runId);
    if (run?.status !== "RUNNING") return run;
    const left = Date.parse(run.leaseUntil) - store.now().getTime();
    if (left <= 0) return run;
    try {
      await wait(Math.min(pause, left), undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }
}
