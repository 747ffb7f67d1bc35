import { setTimeout as delay } from "node:timers/promises";
import { END_MS } from "./settings.ts";
import { warnOfExport } from "./warn-once.ts";

/** Waits for the last export, but not long. Answers whether it is over, done or failed. */
export async function withinEnd(flush: () => Promise<void>): Promise<boolean> {
  const end = new AbortController();
  const flushed = flush().then(
    () => true,
    () => true,
  );
  const late = delay(END_MS, false, { signal: end.signal }).catch(() => false);
  const isDone = await Promise.race([flushed, late]);
  end.abort();
  if (!isDone) warnOfExport(undefined);
  return isDone;
}
