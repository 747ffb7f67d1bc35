import { setTimeout as wait } from "node:timers/promises";
import type { Store } from "../store.ts";
import type { LeaseSeen } from "./claim.ts";
import { leaseState, readHolder } from "./holder.ts";
import { runOf, type SkillRun } from "./skill-run.ts";

const SLOWEST_POLL_MS = 1000;

/** `abandoned`: nobody renewed the lease for its full length, so the key may be claimed. */
export interface Waited {
  readonly run: SkillRun | null;
  readonly abandoned?: LeaseSeen;
}

/**
 * Waits for a run that another process holds, until it is finished, or its lease is over and its key can be claimed. Polls
 * ever less often. If the holder's clock cannot be compared, a lease that is not renewed for its own length (or `leaseMs` if
 * unknown) counts as over by this process's clock. Rejects with the signal's reason when aborted.
 */
export async function waitForRun(
  store: Pick<Store, "db" | "now" | "monotonic" | "hasSharedClock">,
  runId: string,
  signal: AbortSignal,
  { pollMs = 20, leaseMs = 30_000 }: { readonly pollMs?: number; readonly leaseMs?: number } = {},
): Promise<Waited> {
  let seen: { readonly lease: string; readonly since: number } | undefined;
  for (let pause = pollMs; ; pause = Math.min(pause * 1.5, SLOWEST_POLL_MS)) {
    signal.throwIfAborted();
    const row = await store.db.get("SELECT * FROM skill_runs WHERE skill_run_id = ?", [runId]);
    const run = row ? runOf(row) : null;
    if (!row || run?.status !== "RUNNING" || leaseState(row, store) === "over") return { run };
    const lease = `${run.leaseUntil} ${run.holder}`;
    const now = store.monotonic();
    if (seen?.lease !== lease) seen = { lease, since: now };
    const left = seen.since + (readHolder(run.holder)?.leaseMs ?? leaseMs) - now;
    if (left <= 0) return { run, abandoned: { runId, leaseUntil: run.leaseUntil, holder: run.holder } };
    try {
      await wait(Math.min(pause, left), undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }
}
