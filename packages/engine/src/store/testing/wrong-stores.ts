import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "../database.ts";
import { claimRun } from "../runs/claim.ts";
import { finishRun } from "../runs/finish.ts";
import { findRuns, latestSuccess } from "../runs/runs.ts";
import type { NewEvent, Store } from "../store.ts";

/** The two operations that the crash and race tests check. */
export interface RunOperations {
  readonly claim: typeof claimRun;
  readonly finish: typeof finishRun;
}

export type StoreName =
  | "right"
  | "select-then-insert"
  | "no-fence"
  | "acknowledge-early"
  | "event-apart"
  | "not-synced";

/**
 * The store, and stores that are wrong on purpose: each is the obvious but wrong way to write it. A check that does not
 * catch its mistake checks nothing.
 */
export const STORES: Readonly<Record<StoreName, RunOperations>> = {
  right: { claim: claimRun, finish: finishRun },

  /** Reads first and inserts later, without a constraint in the database. */
  "select-then-insert": {
    finish: finishRun,
    claim: async (store, request) => {
      const running = "WHERE idempotency_key = ? AND status = 'RUNNING'";
      const [holder] = await findRuns(store.db, running, [request.key]);
      if (holder) return { state: "running", run: holder };
      const success = await latestSuccess(store.db, request.key);
      if (success) return { state: "succeeded", run: success };
      // Without caching a claim is not shared, as if the unique index did not exist.
      return claimRun(store, { ...request, caching: false });
    },
  },

  /** Writes the result of any caller, even if its lease is over. */
  "no-fence": {
    claim: claimRun,
    finish: async (store, runId, success, more) => {
      await store.db.run(
        "UPDATE skill_runs SET status = 'RUNNING', lease_until = '9999-12-31', holder = '' WHERE skill_run_id = ?",
        [runId],
      );
      return finishRun(store, runId, success, more);
    },
  },

  /** Answers first and commits later. */
  "acknowledge-early": {
    claim: claimRun,
    finish: async (store, runId, success, more) => {
      wait(2)
        .then(() => finishRun(store, runId, success, more))
        .catch(() => undefined);
      return { state: "recorded", run: null };
    },
  },

  /** Records the event in a separate transaction. */
  "event-apart": {
    claim: claimRun,
    finish: async (store, runId, success, more) => {
      const events: NewEvent[] = [];
      const later: Store = { ...store, record: async (_tx, given) => void events.push(...given) };
      const finish = await finishRun(later, runId, success, more);
      await wait(2);
      const by = { actor: store.actor, at: store.now().toISOString() };
      await store.db.transaction((tx) => store.record(tx, events, by));
      return finish;
    },
  },

  /** Commits without waiting for the disk: only a power cut, or the system calls, can show that. */
  "not-synced": {
    claim: claimRun,
    finish: (store, runId, success, more) => {
      const { transaction } = store.db;
      const relaxed: Database["transaction"] = (work) =>
        transaction.call(store.db, work, { durable: false }) as ReturnType<typeof work>;
      const db = { transaction: relaxed } as Database;
      return finishRun({ ...store, db }, runId, success, more);
    },
  },
};
