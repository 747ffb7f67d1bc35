import { join } from "node:path";
import { verifyStore } from "../../audit/verify-store.ts";
import { isPostgres } from "../postgres/postgres-url.ts";
import { claimRun } from "../runs/claim.ts";
import { finishRun } from "../runs/finish.ts";
import { claimFor, storeOn, successOf } from "./example-run.ts";
import { killedAfter } from "./killed-after.ts";
import { openTestStore } from "./open-test-store.ts";
import type { StoreName } from "./wrong-stores.ts";

/** Checks get slower as a database grows, so start a new one after this many cycles. */
const CYCLES_PER_DATABASE = 25;
const MAX_DELAY_MS = 25;
const HOUR_MS = 3_600_000;

export interface CrashReport {
  readonly acknowledged: number;
  /** What was violated, each with the number of its cycle. */
  readonly problems: readonly string[];
}

/** Kills a process that records runs, at a random moment after its first report, again and again. */
export async function crashCycles(
  /** Where the n-th database is. */
  place: (number: number) => string,
  store: StoreName,
  cycles: number,
  seed: number,
): Promise<CrashReport> {
  const random = randomFrom(seed);
  const problems: string[] = [];
  let acknowledged = 0;
  let head: string | undefined;
  for (let cycle = 0; cycle < cycles; cycle++) {
    const file = place(Math.floor(cycle / CYCLES_PER_DATABASE));
    if (cycle % CYCLES_PER_DATABASE === 0) head = undefined;
    // Each line is the id of a run that was reported before the kill.
    const args = [join(import.meta.dirname, "children", "crash-child.ts"), file, store];
    const { lines: ids } = await killedAfter(random() * MAX_DELAY_MS, args);
    acknowledged += ids.length;
    const found = await checkDatabase(file, ids, head);
    head = found.head;
    problems.push(...found.problems.map((problem) => `cycle ${cycle}: ${problem}`));
  }
  return { acknowledged, problems };
}

/** Checks what must hold after a kill: nothing reported is lost, nothing is half written, nothing is stuck. */
export async function checkDatabase(
  file: string,
  acknowledged: readonly string[],
  earlierHead?: string,
  holder: "dead" | "this process" = "dead",
): Promise<{ readonly problems: string[]; readonly head: string | undefined }> {
  const problems: string[] = [];
  const opened = await openTestStore(file);
  const { db } = opened;
  try {
    const succeeded = await db.all("SELECT skill_run_id AS id FROM skill_runs WHERE status = 'SUCCEEDED'");
    const present = new Set(succeeded.map((row) => row.id));
    for (const id of acknowledged) if (!present.has(id)) problems.push(`run ${id} was reported and is lost`);
    const silent = await db.all(
      `SELECT skill_run_id AS id FROM skill_runs WHERE status <> 'RUNNING' AND NOT EXISTS
         (SELECT 1 FROM task_events WHERE run_id = skill_run_id AND event_type = 'SKILL_RUN')`,
    );
    for (const { id } of silent) problems.push(`run ${id} has no event`);
    if (!isPostgres(file)) {
      const integrity = await db.get("PRAGMA integrity_check");
      if (integrity?.integrity_check !== "ok") problems.push(String(integrity?.integrity_check));
    }
    const running = await db.all(
      "SELECT skill_run_id AS id, claim_key AS key FROM skill_runs WHERE status = 'RUNNING'",
    );
    // A dead holder's key is free at once; a living one's only after its lease.
    const store = holder === "dead" ? opened : storeOn(db, () => new Date(Date.now() + HOUR_MS));
    for (const { id, key } of running) {
      const request = claimFor(String(key));
      const { state } = await claimRun(store, request);
      if (state !== "claimed") problems.push(`run ${id} is stuck: its key is ${state}`);
      else await finishRun(store, request.id, successOf(String(key)));
    }
    const left = await db.all("SELECT skill_run_id AS id FROM skill_runs WHERE status = 'RUNNING'");
    for (const { id } of left) problems.push(`run ${id} has a lease that nobody holds`);
    // Damage of an earlier kill is still there: the log only grows.
    const end = await verifyStore(db, earlierHead);
    if (!end.ok) problems.push(end.message);
    return { problems, head: end.ok ? end.head : undefined };
  } finally {
    await db.close();
  }
}

/** Mulberry32: small, and the same on every platform for one seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
