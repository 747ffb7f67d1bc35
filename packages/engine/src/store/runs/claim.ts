import { hostname, userInfo } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { tryOr } from "@knack/core/files";
import { isGone, ownProcess, type ProcessMark } from "@knack/core/process";
import { decodeUri } from "@knack/core/text";
import { type Database, insertRow, updateRow } from "../database.ts";
import type { Store } from "../store.ts";
import { findRuns, getRun, latestSuccess, RUN_COLUMNS, runOf, type SkillRun } from "./runs.ts";

/** Who holds a running row, as stored in the column `holder`. */
interface Holder extends Omit<ProcessMark, "boot"> {
  /** The end of the lease, in milliseconds of the holder's monotonic clock. */
  readonly until: number;
  readonly leaseMs: number;
  /** The person and the machine, such as `ann@laptop`: whoever shares a store believes what others have put there. */
  readonly by: string | null;
}

const FORM = /^1 (\S+) (\S+) (\d{1,10}) (\d{0,20}) (\d{1,16}) (\d{1,10})(?: (\S{1,1000}))?$/;

/** This process, with a lease that starts now. */
export function holderText(
  { monotonic, actor }: Pick<Store, "monotonic" | "actor">,
  leaseMs: number,
): string {
  const { clock, space, pid, started } = ownProcess();
  const person = /^token:(.+)$/s.exec(actor)?.[1] ?? userName(process.env);
  const by = encodeURIComponent(`${person}@${hostname()}`);
  return `1 ${clock} ${space} ${pid} ${started} ${Math.ceil(monotonic() + leaseMs)} ${Math.ceil(leaseMs)} ${by}`;
}

/** Who acts on this machine. A container may run as a user that the system does not know. */
export function userName(env: NodeJS.ProcessEnv): string {
  return tryOr(() => userInfo().username, env.USER ?? "unknown");
}

/** `null`: an older version or another program wrote the row. */
export function readHolder(text: unknown): Holder | null {
  const [, clock, space, pid, started, until, leaseMs, by] = FORM.exec(String(text)) ?? [];
  if (clock === undefined || space === undefined || started === undefined) return null;
  const numbers = { pid: Number(pid), until: Number(until), leaseMs: Number(leaseMs) };
  return { clock, space, started, ...numbers, by: by === undefined ? null : (decodeUri(by) ?? by) };
}

/**
 * `over`: the key is free. `unsure`: clocks of two machines cannot be compared, so a waiter watches whether it is renewed.
 * On one machine a dead process holds nothing and the clock since boot decides; on PostgreSQL the server's clock does.
 */
export function leaseState(
  row: { readonly holder: unknown; readonly leaseUntil: unknown },
  store: Pick<Store, "now" | "monotonic" | "hasSharedClock">,
): "over" | "held" | "unsure" {
  const holder = readHolder(row.holder);
  const own = ownProcess();
  const isOwn = holder?.pid === own.pid && holder.space === own.space && holder.started === own.started;
  if (holder && holder.space === own.space && !isOwn && isGone(holder)) return "over";
  if (store.hasSharedClock) return String(row.leaseUntil) <= store.now().toISOString() ? "over" : "held";
  // A process can always compare with its own clock.
  if (holder && (isOwn || (holder.clock === own.clock && own.clock !== "-"))) {
    // No lease ends later than its full length from now, so Knack did not write this end.
    const left = holder.until - store.monotonic();
    return left <= 0 ? "over" : left > holder.leaseMs + 1 ? "unsure" : "held";
  }
  if (holder && holder.space === own.space) return "unsure";
  return String(row.leaseUntil) <= store.now().toISOString() ? "over" : "unsure";
}

type Claimed =
  | "skill"
  | "skillVersion"
  | "implementation"
  | "implementationDigest"
  | "key"
  | "inputs"
  | "params";

export interface ClaimRequest extends Pick<SkillRun, "id" | "planId" | "taskId" | Claimed> {
  readonly caching: boolean;
  /** Successful runs whose artifacts the caller found damaged or missing. */
  readonly excludingIds?: readonly string[];
  readonly leaseMs: number;
  /** Running rows that the caller watched for a full lease without a renewal. */
  readonly abandoned?: readonly LeaseSeen[];
}

/** A lease at one moment; a renewal changes it. */
export interface LeaseSeen {
  readonly runId: string;
  readonly leaseUntil: string;
  readonly holder: string;
}

/** `claimed`: the caller holds the key and must finish or fail the run. Otherwise another process has the run. */
export interface Claim {
  readonly state: "claimed" | "running" | "succeeded";
  readonly run: SkillRun;
}

/** Decides, across all processes, who executes a key. A sync is only needed where a dead holder is cleaned up. */
export async function claimRun(store: Store, request: ClaimRequest): Promise<Claim> {
  const key = claimKeyOf(request);
  const claim = await store.db.transaction((tx) => attempt(store, tx, request, false), {
    durable: false,
    key,
  });
  return (
    claim ??
    (await store.db.transaction((tx) => attempt(store, tx, request, true), { key, exclusive: true }))!
  );
}

function claimKeyOf({ caching, key, id }: ClaimRequest): string {
  return caching ? key : `${key}#${id}`;
}

async function attempt(
  store: Store,
  tx: Database,
  request: ClaimRequest,
  mayInterrupt: boolean,
): Promise<Claim | null> {
  const now = store.now();
  const at = now.toISOString();
  const claimKey = claimKeyOf(request);
  const [holder] = await findRuns(tx, "WHERE claim_key = ? AND status = 'RUNNING'", [claimKey]);
  if (holder) {
    const isOver =
      leaseState(holder, store) === "over" || request.abandoned?.some((seen) => isSeen(holder, seen));
    if (!isOver) return { state: "running", run: holder };
    if (!mayInterrupt) return null;
    await interrupt(store, tx, holder, at);
  }
  const success = request.caching ? await latestSuccess(tx, request.key, request.excludingIds) : null;
  if (success) return { state: "succeeded", run: success };
  const row = {
    skill_run_id: request.id,
    plan_id: request.planId,
    task_id: request.taskId,
    skill_name: request.skill,
    skill_version: request.skillVersion,
    implementation: request.implementation,
    implementation_digest: request.implementationDigest,
    idempotency_key: request.key,
    claim_key: claimKey,
    status: "RUNNING",
    lease_until: leaseEnd(now, request.leaseMs),
    holder: holderText(store, request.leaseMs),
    inputs_json: JSON.stringify(request.inputs),
    params_json: JSON.stringify(request.params),
    started_at: at,
  };
  const inserted = await insertRow(tx, "skill_runs", row, `RETURNING ${RUN_COLUMNS}`);
  return { state: "claimed", run: runOf(inserted!) };
}

function isSeen({ id, leaseUntil, holder }: SkillRun, seen: LeaseSeen): boolean {
  return id === seen.runId && leaseUntil === seen.leaseUntil && holder === seen.holder;
}

/** Renews the lease; returns the new end, or `null` if the lease was over or the run is settled. */
export async function renewLease(store: Store, runId: string, leaseMs: number): Promise<string | null> {
  return store.db.transaction(
    async (tx) => {
      const run = await getRun(tx, runId);
      if (run?.status !== "RUNNING" || leaseState(run, store) === "over") return null;
      const until = leaseEnd(store.now(), leaseMs);
      // Another connection may settle the run between the two statements.
      const { changes } = await tx.run(
        "UPDATE skill_runs SET lease_until = ?, holder = ? WHERE skill_run_id = ? AND status = 'RUNNING'",
        [until, holderText(store, leaseMs), runId],
      );
      return changes === 1 ? until : null;
    },
    { durable: false, key: runId },
  );
}

export async function interruptExpired(store: Store): Promise<number> {
  const dead = async (db: Database): Promise<SkillRun[]> =>
    (await findRuns(db, "WHERE status = 'RUNNING'", [])).filter((run) => leaseState(run, store) === "over");
  // Usually there is none, and then nothing is written or synced.
  if ((await dead(store.db)).length === 0) return 0;
  return store.db.transaction(async (tx) => {
    const at = store.now().toISOString();
    // Sorted here: with ORDER BY the database would scan all runs in order instead of the running ones.
    const runs = (await dead(tx)).sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const run of runs) await interrupt(store, tx, run, at);
    return runs.length;
  });
}

async function interrupt(store: Store, tx: Database, run: SkillRun, at: string): Promise<void> {
  const { id, planId, taskId, skill, key } = run;
  const pid = readHolder(run.holder)?.pid;
  const who = pid === undefined ? "The process" : `The process ${pid}`;
  const message = `${who} that ran ${skill} stopped or hung; its lease ended at ${run.leaseUntil}.`;
  const error = { code: "SKILL_INTERRUPTED", message };
  const ended = { status: "FAILED", error_code: error.code, error_message: message, finished_at: at };
  await updateRow(tx, "skill_runs", { skill_run_id: id }, ended);
  const payload = { skill, key, status: "FAILED", error };
  await store.record(tx, [{ type: "SKILL_RUN", planId, taskId, runId: id, payload }], {
    actor: store.actor,
    at,
    rows: [{ table: "skill_runs", key: [id] }],
  });
}

function leaseEnd(now: Date, leaseMs: number): string {
  return new Date(now.getTime() + leaseMs).toISOString();
}

const SLOWEST_POLL_MS = 1000;

/**
 * Waits until a run has ended or its key can be claimed. Where clocks cannot be compared, a lease that is not renewed
 * for its own length (or `leaseMs`) is `abandoned`: the key may be claimed.
 */
export async function waitForRun(
  store: Pick<Store, "db" | "now" | "monotonic" | "hasSharedClock">,
  runId: string,
  signal: AbortSignal,
  { pollMs = 20, leaseMs = 30_000 }: { readonly pollMs?: number; readonly leaseMs?: number } = {},
): Promise<{ readonly run: SkillRun | null; readonly abandoned?: LeaseSeen }> {
  let seen: { readonly lease: string; readonly since: number } | undefined;
  for (let pause = pollMs; ; pause = Math.min(pause * 1.5, SLOWEST_POLL_MS)) {
    signal.throwIfAborted();
    const run = await getRun(store.db, runId);
    if (run?.status !== "RUNNING" || leaseState(run, store) === "over") return { run };
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
