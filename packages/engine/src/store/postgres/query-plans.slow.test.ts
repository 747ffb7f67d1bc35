import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { headOf } from "../../audit/chain.ts";
import { eventsAfter, lastSeq, lastSeqBefore, listEvents, useEventsAfter } from "../../audit/events.ts";
import { runRecord } from "../../audit/run-record.ts";
import { readTasks } from "../../plan/plan-rows.ts";
import type { Database, Parameter } from "../database.ts";
import { claimRun, interruptExpired, renewLease } from "../runs/claim.ts";
import { finishRun, recordCachedRun } from "../runs/finish.ts";
import { getRun, latestSuccess, listRuns, runHistory, runningRuns, servedAgain } from "../runs/runs.ts";
import type { Store } from "../store.ts";
import { claimFor, storeOn, successOf } from "../testing/example-run.ts";
import { fillHistory } from "../testing/postgres/long-history.ts";
import { sharedServer } from "../testing/postgres/shared-server.ts";
import { listArtifacts } from "../testing/recorded.ts";
import { openPostgres, type PostgresDatabase } from "./postgres.ts";
import { statementOf } from "./postgres-transaction.ts";

const RUNS = 60_000;

let db: PostgresDatabase;
beforeAll(async () => {
  db = await openPostgres((await sharedServer("18")).url());
  await fillHistory(db, RUNS);
});
afterAll(async () => {
  await db?.close();
});

type Statement = readonly [sql: string, parameters: readonly Parameter[]];

/** The same database, which remembers its statements. */
function listening(on: Database, said: Statement[]): Database {
  const heard = (sql: string, parameters: readonly Parameter[] = []): Statement => {
    said.push([sql, parameters]);
    return [sql, parameters];
  };
  return {
    all: (...given) => on.all(...heard(...given)),
    get: (...given) => on.get(...heard(...given)),
    run: (...given) => on.run(...heard(...given)),
    transaction: (work, options) => on.transaction((tx) => work(listening(tx, said)), options),
    flush: () => on.flush(),
    close: () => on.close(),
  };
}

/** Everything that a run, a page or a worker asks of the database. */
const OPERATIONS: readonly [name: string, work: (store: Store) => Promise<unknown>][] = [
  [
    "a claim and its end",
    async (store) => {
      const request = claimFor("new");
      await claimRun(store, request);
      await renewLease(store, request.id, 1000);
      await finishRun(store, request.id, successOf("new"));
    },
  ],
  [
    "a failure in a plan",
    async (store) => {
      const request = claimFor("failing", { planId: "plan-7", taskId: "task-3" });
      await claimRun(store, request);
      await finishRun(store, request.id, {
        error: { code: "SKILL_FAILED", message: "no" },
        isolation: "none",
        logTail: "",
      });
    },
  ],
  [
    "a cached result",
    async (store) => {
      const run = await latestSuccess(store.db, "key-777");
      await runRecord(store.db, run?.id ?? "");
      await recordCachedRun(store, run!, { planId: "plan-1", taskId: "task-1" });
    },
  ],
  ["runs that were left behind", (store) => interruptExpired(store)],
  ["what runs now", ({ db }) => runningRuns(db)],
  ["one run", ({ db }) => getRun(db, "run-500")],
  ["the newest runs", ({ db }) => listRuns(db, { limit: 50 })],
  ["the runs of a task", ({ db }) => listRuns(db, { planId: "plan-9", taskId: "task-9", limit: 50 })],
  ["the runs of a skill", ({ db }) => listRuns(db, { skill: "skill_7", limit: 50 })],
  ["a page of the history", ({ db }) => runHistory(db, { limit: 50 })],
  [
    "the next page",
    ({ db }) => runHistory(db, { limit: 50, after: { at: "2026-01-10T00:00:00.000Z", seq: 0, id: "run-1" } }),
  ],
  ["what was returned again", ({ db }) => runHistory(db, { limit: 50, cached: true })],
  ["when a run was returned again", ({ db }) => servedAgain(db, "run-700", 10)],
  ["the artifacts of a task", ({ db }) => listArtifacts(db, { planId: "plan-4", taskId: "task-4" })],
  ["the head of the log", ({ db }) => headOf(db)],
  ["the end of the log", ({ db }) => listEvents(db, 50)],
  ["what follows a record", ({ db }) => eventsAfter(db, 1000, 50)],
  ["the number of the last record", ({ db }) => lastSeq(db)],
  ["what was used after a record", ({ db }) => useEventsAfter(db, 1000, 50)],
  ["the record at a moment", ({ db }) => lastSeqBefore(db, "2026-01-10T00:00:00.000Z")],
  ["the tasks of a plan", ({ db }) => readTasks(db, "plan-3")],
];

describe(`${RUNS} runs of history: PostgreSQL's plans`, () => {
  it.each(OPERATIONS)("%s is read by an index", async (_, work) => {
    const said: Statement[] = [];
    const store = { ...storeOn(listening(db, said)), now: () => db.now(), hasSharedClock: true };
    await work(store);
    expect(said.length).toBeGreaterThan(0);
    for (const [sql, parameters] of said) {
      const { rows } = await db.pool.query(`EXPLAIN ${statementOf(sql).text}`, [...parameters]);
      const plan = rows.map((row) => String(row["QUERY PLAN"])).join("\n");
      expect(plan, sql).not.toMatch(/Seq Scan on (skill_runs|artifacts|task_events)/);
    }
  });

  it("would find a query without an index", async () => {
    const { rows } = await db.pool.query("EXPLAIN SELECT * FROM skill_runs WHERE log_tail = 'x'");
    expect(JSON.stringify(rows)).toMatch(/Seq Scan on skill_runs/);
  });
});
