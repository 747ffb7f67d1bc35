import type { Database, Row } from "../database.ts";
import type { NewEvent, Store, TaskRef } from "../store.ts";
import { holderText, leaseState, readHolder } from "./holder.ts";
import { latestSuccess } from "./runs.ts";
import { type RunInput, runOf, type SkillRun } from "./skill-run.ts";

export interface ClaimRequest extends TaskRef {
  /** Created by the caller with `newId`. */
  readonly id: string;
  readonly skill: string;
  readonly skillVersion: string;
  readonly implementation: string;
  readonly implementationDigest: string;
  readonly key: string;
  /** `false`: never shared, neither while it runs nor afterwards. */
  readonly caching: boolean;
  /** Successful runs whose artifacts the caller found damaged or missing. */
  readonly excludingIds?: readonly string[];
  readonly inputs: readonly RunInput[];
  readonly params: Readonly<Record<string, unknown>>;
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

/**
 * Decides, across all processes, who executes a key. A claim alone needs no sync: after a power cut no process is left that
 * holds it. If a dead holder is cleaned up, that event needs one, so the transaction is repeated durably.
 */
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
  const holder = await tx.get("SELECT * FROM skill_runs WHERE claim_key = ? AND status = 'RUNNING'", [
    claimKey,
  ]);
  if (holder) {
    const isOver =
      leaseState(holder, store) === "over" || request.abandoned?.some((seen) => isSeen(holder, seen));
    if (!isOver) return { state: "running", run: runOf(holder) };
    if (!mayInterrupt) return null;
    await interrupt(store, tx, holder, at);
  }
  const success = request.caching ? await latestSuccess(tx, request.key, request.excludingIds) : null;
  if (success) return { state: "succeeded", run: success };
  const leaseUntil = leaseEnd(now, request.leaseMs);
  const own = holderText(store, request.leaseMs);
  await tx.run(
    `INSERT INTO skill_runs (skill_run_id, plan_id, task_id, skill_name, skill_version, implementation,
       implementation_digest, idempotency_key, claim_key, status, lease_until, holder, inputs_json, params_json,
       started_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'RUNNING', ?, ?, ?, ?, ?)`,
    [
      request.id,
      request.planId,
      request.taskId,
      request.skill,
      request.skillVersion,
      request.implementation,
      request.implementationDigest,
      request.key,
      claimKey,
      leaseUntil,
      own,
      JSON.stringify(request.inputs),
      JSON.stringify(request.params),
      at,
    ],
  );
  return { state: "claimed", run: runningOf(request, leaseUntil, own, at) };
}

/** The inserted row, without reading it again. */
function runningOf(request: ClaimRequest, leaseUntil: string, holder: string, startedAt: string): SkillRun {
  const { caching: _, excludingIds: __, leaseMs: ___, abandoned: ____, ...run } = request;
  return {
    ...run,
    status: "RUNNING",
    leaseUntil,
    holder,
    artifacts: [],
    evidences: [],
    error: null,
    isolation: null,
    logTail: "",
    startedAt,
    finishedAt: null,
  };
}

function isSeen(row: Row, seen: LeaseSeen): boolean {
  return row.skill_run_id === seen.runId && row.lease_until === seen.leaseUntil && row.holder === seen.holder;
}

/** Renews the lease; returns the new end, or `null` if the lease was over or the run is settled. */
export async function renewLease(store: Store, runId: string, leaseMs: number): Promise<string | null> {
  return store.db.transaction(
    async (tx) => {
      const row = await tx.get("SELECT holder, lease_until, status FROM skill_runs WHERE skill_run_id = ?", [
        runId,
      ]);
      if (row?.status !== "RUNNING" || leaseState(row, store) === "over") return null;
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

/** Marks every run whose process died as interrupted; returns how many there were. */
export async function interruptExpired(store: Store): Promise<number> {
  const dead = async (db: Database): Promise<Row[]> =>
    (await db.all("SELECT * FROM skill_runs WHERE status = 'RUNNING'")).filter(
      (row) => leaseState(row, store) === "over",
    );
  // Usually there is none, and then nothing is written or synced.
  if ((await dead(store.db)).length === 0) return 0;
  return store.db.transaction(async (tx) => {
    const at = store.now().toISOString();
    // Sorted here: with ORDER BY the database would scan all runs in order instead of the running ones.
    const rows = await dead(tx);
    rows.sort((a, b) => (String(a.skill_run_id) < String(b.skill_run_id) ? -1 : 1));
    for (const row of rows) await interrupt(store, tx, row, at);
    return rows.length;
  });
}

async function interrupt(store: Store, tx: Database, row: Row, at: string): Promise<void> {
  const run = runOf(row);
  const pid = readHolder(run.holder)?.pid;
  const who = pid === undefined ? "The process" : `The process ${pid}`;
  const message = `${who} that ran ${run.skill} stopped or hung; its lease ended at ${run.leaseUntil}.`;
  await tx.run(
    `UPDATE skill_runs SET status = 'FAILED', error_code = 'SKILL_INTERRUPTED', error_message = ?, finished_at = ?
     WHERE skill_run_id = ?`,
    [message, at, run.id],
  );
  const event: NewEvent = {
    type: "SKILL_RUN",
    planId: run.planId,
    taskId: run.taskId,
    runId: run.id,
    payload: {
      skill: run.skill,
      key: run.key,
      status: "FAILED",
      error: { code: "SKILL_INTERRUPTED", message },
    },
  };
  await store.record(tx, [event], {
    actor: store.actor,
    at,
    rows: [{ table: "skill_runs", key: [run.id] }],
  });
}

function leaseEnd(now: Date, leaseMs: number): string {
  return new Date(now.getTime() + leaseMs).toISOString();
}
