import { setTimeout as wait } from "node:timers/promises";
import { StoreError } from "../store-error.ts";

const LONGEST_PAUSE_MS = 25;

/**
 * Retries work that another connection may block, until it succeeds or times out. Unlike SQLite's own timeout it does not
 * block the process, because the other connection may be in the same process.
 */
export async function retryBusy<T>(timeoutMs: number, work: () => T): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (let longest = 1; ; longest = Math.min(longest * 2, LONGEST_PAUSE_MS)) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "BUSY" || performance.now() >= end) throw error;
      // Random, so that waiting processes do not collide again.
      await wait(Math.random() * longest);
    }
  }
}
