import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isStoreError, KnackError } from "@knack/core/text";
import { ownName, RUN_FOLDER } from "../../artifacts/temporary.ts";
import type { Contents } from "../../contents/contents.ts";
import { materialise } from "../../contents/keep-input.ts";
import { refusalOf, refuseTask, taskBinding } from "../../plan/tasks.ts";
import type { RunError } from "../../run/claimed-run.ts";
import { confirmedBefore } from "../../run/input-kinds.ts";
import { followStart } from "../../run/live-runs.ts";
import { type FinishedRun, NO_TASK, type RunBinding } from "../../run/run-skill.ts";
import type { SkillRuns } from "../../run/skill-runs.ts";
import type { Database } from "../../store/database.ts";
import { isConnectionLost } from "../../store/postgres/postgres-errors.ts";
import { getRun } from "../../store/runs/runs.ts";
import type { Store } from "../../store/store.ts";
import { type Boss, RETRY_LIMIT } from "../boss.ts";
import { type QueuedRun, UNREADABLE } from "../queued-run.ts";
import { TELL_DONE } from "../signals.ts";

function isLastTry({ attempts }: QueuedRun): boolean {
  return attempts >= RETRY_LIMIT;
}

interface Settling {
  readonly store: Store;
  readonly boss: Boss;
  readonly queued: QueuedRun;
}

/** Only for the try that this worker has: somebody may have cancelled it, or taken it over. */
const OURS = "queue_id = ? AND job_id = ? AND attempts = ? AND state = 'RUNNING'";

function ours({ id, jobId, attempts }: QueuedRun): [string, string, number] {
  return [id, jobId, attempts];
}

/** Thrown where another worker has settled it: nothing of this transaction is to be recorded. */
const SETTLED_BY_OTHER = new KnackError("CONFLICT", "Another worker has settled this run.");

/** The end of a run in the row of the queue and in pg-boss, in the transaction of the run. */
async function settleRun(
  tx: Database,
  settling: Settling,
  run: { readonly runId: string; readonly succeeded: boolean; readonly cached: boolean },
): Promise<void> {
  const { store, boss, queued } = settling;
  if (run.succeeded) {
    // Also one that others believe they must take over, because this worker was silent: a recorded result is a result.
    const { changes } = await tx.run(
      `UPDATE queued_runs SET state = 'SUCCEEDED', skill_run_id = ?, cached = ?, error_code = NULL, error_message = NULL,
         finished_at = ? WHERE queue_id = ? AND job_id = ? AND state IN ('RUNNING', 'FAILED') RETURNING ${TELL_DONE}`,
      [run.runId, run.cached ? 1 : 0, store.now().toISOString(), queued.id, queued.jobId],
    );
    if (changes > 0) await boss.complete(tx, queued);
    else if (run.cached) throw SETTLED_BY_OTHER;
    return;
  }
  const error = (await getRun(tx, run.runId))?.error ?? { code: "", message: "" };
  await settleFailure(tx, settling, error, run.runId, false);
  // The one that was cancelled has a record of how it ended.
  await tx.run("UPDATE queued_runs SET skill_run_id = ? WHERE queue_id = ? AND state = 'CANCELLED'", [
    run.runId,
    queued.id,
  ]);
}

/** `isFinal`: another try would change nothing. Returns `false` if the try is not ours any more. */
async function settleFailure(
  tx: Database,
  { store, boss, queued }: Settling,
  error: RunError,
  runId: string | null,
  isFinal: boolean,
): Promise<boolean> {
  const state = isFinal || isLastTry(queued) ? "DEAD" : "FAILED";
  const { changes } = await tx.run(
    `UPDATE queued_runs SET state = '${state}', attempts = attempts + 1, skill_run_id = ?, error_code = ?,
       error_message = ?, finished_at = ?, worker_id = NULL WHERE ${OURS} RETURNING ${TELL_DONE}`,
    [runId, error.code, error.message, store.now().toISOString(), ...ours(queued)],
  );
  if (changes === 0) return false;
  await (isFinal ? boss.cancel(tx, queued) : boss.fail(tx, queued));
  return true;
}

export async function refuseQueued(settling: Settling, error: RunError, isFinal: boolean): Promise<boolean> {
  const { store, queued } = settling;
  const { planId, taskId, request } = queued;
  return store.db.transaction(async (tx) => {
    const isSettled = await settleFailure(tx, settling, error, null, isFinal);
    if (isSettled && (isFinal || isLastTry(queued)) && planId !== null && taskId !== null && request.isOwnRun)
      await refuseTask(tx, store, { planId, taskId }, error);
    return isSettled;
  });
}

/** The binding of a run that came from the queue: what it is for, and its row. A task ends with its last try. */
function queueBinding(inner: RunBinding, settling: Settling) {
  const { store, queued } = settling;
  let isSettled = false;
  let isStarted = false;
  return {
    task: inner.task,
    started: async (run) => {
      // A second start means that the lease was lost meanwhile, and others may have run it since.
      const isTaken =
        isStarted && !(await store.db.get(`SELECT 1 AS found FROM queued_runs WHERE ${OURS}`, ours(queued)));
      if (isTaken) throw SETTLED_BY_OTHER;
      isStarted = true;
      await inner.started(run);
    },
    isSettled: () => isSettled,
    alongside: (run, outcome) => async (tx) => {
      const { succeeded, cancelled } = outcome;
      const isEnd = succeeded || cancelled === true || isLastTry(queued);
      const worked = isEnd ? await inner.alongside(run, outcome)?.(tx) : undefined;
      await settleRun(tx, settling, { runId: run.id, succeeded, cached: run.status === "SUCCEEDED" });
      isSettled = true;
      return worked ?? { events: [], rows: [] };
    },
  } satisfies RunBinding & { readonly isSettled: () => boolean };
}

export interface RunQueuedOptions {
  readonly store: Store;
  readonly contents: Contents;
  readonly boss: Boss;
  readonly runs: SkillRuns;
  readonly signal: AbortSignal;
  /** Called when the skill is executed, or waited for. */
  readonly started: (runId: string) => void;
}

/** `ended`: the row says how. `refused`: this worker may not run it any more. `lost`: others should have it. */
export type QueuedEnd =
  | { readonly how: "ended"; readonly finished: FinishedRun | null; readonly error: RunError | null }
  | { readonly how: "refused" | "lost"; readonly error: RunError };

/** Runs what was queued on another machine in the way of `knack run`: same checks, same isolation, same record. */
export async function runQueued(
  /** The skill whose lane it came from. */
  offered: string | undefined,
  queued: QueuedRun,
  options: RunQueuedOptions,
): Promise<QueuedEnd> {
  const { store, contents, boss, runs, signal, started } = options;
  const settling = { store, boss, queued };
  const folder = join(tmpdir(), ownName(RUN_FOLDER));
  try {
    if (queued.skill !== offered)
      throw new KnackError("ACCESS_DENIED", `${queued.skill} is not what this worker offers in this lane.`);
    if (queued.request === UNREADABLE)
      throw new KnackError("INVALID_PARAM", "The entry in the queue is damaged: its request cannot be read.");
    const { inputs, recordedAs } = await inputsOf(queued, contents, folder);
    const { params, confirmed } = queued.request;
    const { planId, taskId } = queued;
    const isForTask = planId !== null && taskId !== null;
    const inner = isForTask ? taskBinding(store, { planId, taskId }, queued.request.isOwnRun) : NO_TASK;
    const binding = queueBinding(inner, settling);
    const finished = await followStart(
      ({ id }) => started(id),
      () =>
        runs.run(
          queued.skill,
          {
            ...{ inputs, params, recordedAs, signal, actor: store.actor, reach: { kind: "anywhere" } },
            confirm: confirmedBefore(confirmed),
          },
          async () => binding,
        ),
    );
    // Others made it while this worker waited for it, and it failed for them.
    const failed = { runId: finished.run.id, succeeded: false, cached: false };
    if (!binding.isSettled())
      await store.db.transaction((tx) => settleRun(tx, settling, failed), { key: queued.id });
    return { how: "ended", finished, error: finished.run.error };
  } catch (error) {
    if (error === SETTLED_BY_OTHER) return { how: "ended", finished: null, error: null };
    const failure = refusalOf(error);
    // Bytes that are damaged stay damaged; all other errors of the store may pass.
    const isPassing = (isStoreError(error) && error.code !== "CORRUPT") || isConnectionLost(error);
    if (signal.aborted || isPassing) return { how: "lost", error: failure };
    if (failure.code === "ACCESS_DENIED") return { how: "refused", error: failure };
    await refuseQueued(settling, failure, FINAL.has(failure.code));
    return { how: "ended", finished: null, error: failure };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const FINAL = new Set(["INVALID_PARAM", "NOT_FOUND", "CONFLICT", "CORRUPT", "PERMISSION_DENIED"]);

/** Copies of the inputs with their own names, since a skill may look at the ending. */
async function inputsOf({ request }: QueuedRun, contents: Contents, folder: string) {
  const recordedAs = new Map<string, string>();
  const inputs: { role: string; path: string }[] = [];
  for (const [index, input] of request.inputs.entries()) {
    const own = join(folder, String(index + 1));
    await mkdir(own, { recursive: true, mode: 0o700 });
    const path = join(own, nameOf(input.path));
    await materialise(contents, input, path);
    recordedAs.set(path, input.path);
    inputs.push({ role: input.role, path });
  }
  return { inputs, recordedAs };
}

function nameOf(path: string): string {
  const name = basename(path).replaceAll("\0", "");
  return name === "" || name === "." || name === ".." ? "input" : name;
}
