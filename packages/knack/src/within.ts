import { setTimeout as delay } from "node:timers/promises";

/** What the work comes to, or `late` where it takes longer than so many milliseconds. The timer goes with the work. */
export async function within<T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L> {
  const end = new AbortController();
  const timer = delay(ms, late, { signal: end.signal });
  timer.catch(() => undefined);
  try {
    return await Promise.race([work, timer]);
  } finally {
    end.abort();
  }
}
