import { setTimeout as wait } from "node:timers/promises";
import { isFull, isGone } from "./postgres-errors.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;
const TELL_AFTER_MS = 1000;

/**
 * Does something again while the database is away (restart, failover) or has no connection free, for at most this long from
 * the first failure on. For work that is known not to have been done.
 */
export async function retryLost<T>(
  patienceMs: number,
  work: () => Promise<T>,
  /** Called once, when somebody may wonder what is waited for. */
  onWait?: () => void,
): Promise<T> {
  let isTold = false;
  let since: number | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isGone(error) && !isFull(error)) throw error;
      since ??= performance.now();
      if (!isTold && performance.now() - since > TELL_AFTER_MS) {
        isTold = true;
        onWait?.();
      }
      if (performance.now() - since + pause > patienceMs) throw error;
      // Many processes lose the database at the same moment, and should not all come back at the same.
      await wait(pause * (0.5 + Math.random()));
    }
  }
}
