import { KnackError } from "@knack/core/text";
import { refuseTask } from "../../plan/tasks.ts";
import type { RunBinding } from "../../run/run-skill.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { type Boss, RETRY_LIMIT } from "../boss.ts";
import type { QueuedRun } from "../queued-run.ts";
import { TELL_DONE } from "../signals.ts";

/** Whether this failure is the last: nobody tries again unless a person says so. */
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

async function isOurs({ store, queued }: Settling): Promise<boolean> {
  const row = await store.db.get(`SELECT 1 AS found FROM queued_runs WHERE ${OURS}`, ours(queued));
  return row !== undefined;
}

/** Thrown where another worker has settled it: nothing of this transaction is to be recorded. */
export const SETTLED_BY_OTHER = new KnackError("CONFLICT", "Another worker has settled this run.");

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
  const row = await tx.get("SELECT error_code, error_message FROM skill_runs WHERE skill_run_id = ?", [
    run.runId,
  ]);
  const error = { code: String(row?.error_code ?? ""), message: String(row?.error_message ?? "") };
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
  error: { readonly code: string; readonly message: string },
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

/** Records a try that ended without a run in the queue, and in the task if the run was the task's own. */
export async function refuseQueued(
  settling: Settling,
  error: { readonly code: string; readonly message: string },
  isFinal: boolean,
): Promise<boolean> {
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
export function queueBinding(
  inner: RunBinding,
  settling: Settling,
): RunBinding & { readonly isSettled: () => boolean } {
  let isSettled = false;
  let isStarted = false;
  return {
    task: inner.task,
    started: async (run) => {
      // A second start means that the lease was lost meanwhile, and others may have run it since.
      if (isStarted && !(await isOurs(settling))) throw SETTLED_BY_OTHER;
      isStarted = true;
      await inner.started(run);
    },
    isSettled: () => isSettled,
    alongside: async (run, outcome) => {
      const isEnd = outcome.succeeded || outcome.cancelled === true || isLastTry(settling.queued);
      const more = isEnd ? await inner.alongside(run, outcome) : {};
      return {
        ...more,
        work: async (tx) => {
          const worked = (await more.work?.(tx)) ?? { events: [], rows: [] };
          const { succeeded } = outcome;
          await settleRun(tx, settling, { runId: run.id, succeeded, cached: run.status === "SUCCEEDED" });
          isSettled = true;
          return worked;
        },
      };
    },
  };
}

/** For a run that others made while this worker waited for it, and that failed for them. */
export async function settleLater(settling: Settling, runId: string): Promise<void> {
  await settling.store.db.transaction(
    (tx) => settleRun(tx, settling, { runId, succeeded: false, cached: false }),
    { key: settling.queued.id },
  );
}
