import { once } from "node:events";
import { readFileSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixedSeed } from "../../../../core/src/shared/testing/cases.ts";
import { verifyStore } from "../../audit/verify-store.ts";
import { claimRun } from "../runs/claim.ts";
import { finishRun } from "../runs/finish.ts";
import { SCHEMA_VERSION } from "../schema.ts";
import { crashCycles } from "../testing/crash-cycles.ts";
import { claimFor, storeOn, successOf } from "../testing/example-run.ts";
import { CuttingProxy } from "../testing/postgres/cutting-proxy.ts";
import { hasPooler, startPooler } from "../testing/postgres/pooler.ts";
import { TestServer } from "../testing/postgres/server.ts";
import { processesAtOnce } from "../testing/processes.ts";
import type { StoreName } from "../testing/wrong-stores.ts";
import { zombieOutcome } from "../testing/zombie.ts";
import { openPostgres } from "./postgres.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start("18", ["max_connections=40"]);
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function executions(store: StoreName, processes: number, keys: number): Promise<number[]> {
  using folder = makeFolder({ "keys/": "" });
  const args = [server.url(), store, String(keys), folder.at("keys")];
  const ended = await processesAtOnce("race-child.ts", processes, args);
  expect(ended.map(({ code }) => code)).toEqual(Array(processes).fill(0));
  return Array.from({ length: keys }, (_, key) => readFileSync(folder.at("keys", String(key))).length);
}

describe("one holder per key, on PostgreSQL", () => {
  it("8 processes and 200 keys are 200 executions", async () => {
    expect(await executions("right", 8, 200)).toEqual(Array(200).fill(1));
  });

  it("would find a store that looks first and inserts then", async () => {
    expect(Math.max(...(await executions("select-then-insert", 8, 100)))).toBeGreaterThan(1);
  });

  it("a process that was stopped past its lease cannot write", async () => {
    expect(await zombieOutcome("right", server.url())).toEqual({
      zombie: "lost",
      succeeded: 1,
      artifacts: ["other"],
    });
  });

  it("would find a store that lets it", async () => {
    const { zombie, succeeded } = await zombieOutcome("no-fence", server.url());
    expect({ zombie, succeeded }).toEqual({ zombie: "recorded", succeeded: 2 });
  });
});

describe("durable success on PostgreSQL: SIGKILL at random moments", () => {
  it("loses no run that was reported, leaves none half or stuck, and the log holds", async () => {
    const seed = fixedSeed();
    using folder = makeFolder();
    const places = Array.from({ length: 2 }, () => server.url());
    const place = (number: number): string => places[number] ?? "";
    const { acknowledged, problems } = await crashCycles(folder.path, "right", 20, seed, place);
    expect(problems, `seed ${seed}`).toEqual([]);
    expect(acknowledged).toBeGreaterThanOrEqual(20);
  });

  it.each<[StoreName, RegExp]>([
    ["acknowledge-early", /was reported and is lost/],
    ["event-apart", /has no event|no record lists it/],
  ])("would find a store that is wrong: %s", async (name, problem) => {
    using folder = makeFolder();
    const place = server.url();
    const { problems } = await crashCycles(folder.path, name, 8, 1, () => place);
    expect(problems.join("\n")).toMatch(problem);
  });
});

describe("ten processes that start at once", () => {
  it("all find the tables, made once", async () => {
    const url = server.url();
    const ended = await processesAtOnce("open-child.ts", 10, [url]);
    expect(ended.map(({ output }) => output)).toEqual(Array(10).fill("ready\ndone\n"));
    const db = await openPostgres(url);
    expect(await db.all("SELECT version FROM schema_migrations")).toEqual([{ version: SCHEMA_VERSION }]);
    expect(await db.get("SELECT count(*) AS n FROM store_identity")).toEqual({ n: 1 });
    await db.close();
  });
});

describe("a connection that is lost", () => {
  it.each(["before", "after"] as const)(
    "at a commit, %s the server got it: what was done is done once, and said so",
    async (cut) => {
      await using proxy = await CuttingProxy.before(server.port);
      const db = await openPostgres(proxy.through(server.url()));
      const store = storeOn(db);
      for (const key of ["a", "b", "c"]) {
        proxy.next = cut;
        const request = claimFor(key);
        expect((await claimRun(store, request)).state).toBe("claimed");
        proxy.next = cut;
        expect((await finishRun(store, request.id, successOf(key))).state).toBe("recorded");
      }
      expect(proxy.cuts).toBe(6);
      expect(await db.get("SELECT count(*) AS n FROM skill_runs")).toEqual({ n: 3 });
      expect(await verifyStore(db)).toMatchObject({ ok: true, count: 6 });
      await db.close();
    },
  );

  it.each(["fast", "crash"] as const)("by a %s restart of the server is made again", async (how) => {
    const db = await openPostgres(server.url());
    const store = storeOn(db);
    const restarting = server.restart(how);
    const ids: string[] = [];
    for (let key = 0; key < 30; key++) {
      const request = claimFor(String(key));
      expect((await claimRun(store, request)).state).toBe("claimed");
      expect((await finishRun(store, request.id, successOf(String(key)))).state).toBe("recorded");
      ids.push(request.id);
    }
    await restarting;
    expect(await db.get("SELECT count(*) AS n FROM skill_runs WHERE status = 'SUCCEEDED'")).toEqual({
      n: 30,
    });
    expect(await verifyStore(db)).toMatchObject({ ok: true, count: 60 });
    await db.close();
  });

  it("to a server that only reads since a failover is made again", async () => {
    const db = await openPostgres(server.url());
    const admin = await db.pool.connect();
    const set = async (value: string): Promise<void> => {
      await admin.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await admin.query("SELECT pg_reload_conf()");
    };
    await admin.query("SET default_transaction_read_only = off");
    try {
      await set("on");
      await expect
        .poll(() => openPostgres(server.url(), { patienceMs: 1 }).catch((error) => error.code))
        .toBe("READONLY");
      const dropped = once(db.pool, "remove");
      const claimed = claimRun(storeOn(db), claimFor("after failover"));
      await dropped;
      await set("off");
      expect((await claimed).state).toBe("claimed");
    } finally {
      await set("off");
      admin.release();
      await db.close();
    }
  });

  it("for longer than it waits is an error that says so, without the password", async () => {
    const url = server.url().replace("knack@", "knack:geheim@");
    const db = await openPostgres(url, { patienceMs: 500 });
    await server.down();
    try {
      const failed = await db.get("SELECT 1 AS one").catch((error: unknown) => error);
      expect(failed).toMatchObject({ name: "KnackError", code: "IO" });
      expect(String(failed)).toMatch(/cannot be reached/);
      expect(String(failed)).not.toMatch(/geheim/);
      const notOpened = await openPostgres(url, { patienceMs: 500 }).catch((error: unknown) => error);
      expect(notOpened).toMatchObject({ name: "KnackError", code: "IO" });
      expect(JSON.stringify(notOpened, Object.getOwnPropertyNames(notOpened))).not.toMatch(/geheim/);
    } finally {
      await server.up();
    }
    expect(await db.get("SELECT 1 AS one")).toEqual({ one: 1 });
    await db.close();
  });
});

describe("a server whose connections are all taken", () => {
  it("is waited for, and is an error that says so when it stays full", async () => {
    await using small = await TestServer.start("18", [
      "max_connections=6",
      "superuser_reserved_connections=0",
    ]);
    const url = small.url();
    const first = await openPostgres(url);
    const busy = await Promise.all(Array.from({ length: 6 }, () => first.pool.connect()));
    const failed = await openPostgres(url, { patienceMs: 500 }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "BUSY" });
    expect(String(failed)).toMatch(/all connections of the database are in use/);
    const opening = openPostgres(url, { patienceMs: 10_000 });
    setTimeout(() => busy[0]?.release(true), 300);
    const second = await opening;
    expect(await second.get("SELECT 1 AS one")).toEqual({ one: 1 });
    for (const client of busy.slice(1)) client.release();
    await first.close();
    await second.close();
  });
});

describe("a pooler that gives each transaction another session", () => {
  const SAID = /pool_mode = session/;

  it("is told by a session that forgot Knack's schema", async () => {
    const db = await openPostgres(server.url());
    await db.pool.query("RESET search_path");
    await expect(db.all("SELECT * FROM task_nodes")).rejects.toMatchObject({
      code: "IO",
      message: expect.stringMatching(SAID),
    });
    await db.close();
  });

  it.skipIf(!hasPooler)(
    "is refused when the database is opened; one that keeps sessions is not",
    async () => {
      const through = (port: number): string => server.url().replace(String(server.port), String(port));
      await using transactions = await startPooler(server.port, "transaction");
      await expect(openPostgres(through(transactions.port))).rejects.toMatchObject({
        code: "IO",
        message: expect.stringMatching(SAID),
      });
      await using sessions = await startPooler(server.port, "session");
      const db = await openPostgres(through(sessions.port));
      expect((await claimRun(storeOn(db), claimFor("pooled"))).state).toBe("claimed");
      await db.close();
    },
  );
});

describe("a database that is not Knack's", () => {
  it("is refused where the schema has other tables, and not changed", async () => {
    const url = server.url("others");
    const db = await openPostgres(server.url());
    await db.pool.query("CREATE SCHEMA others; CREATE TABLE others.things (id int)");
    await expect(openPostgres(url)).rejects.toMatchObject({ code: "FOREIGN" });
    const { rows } = await db.pool.query(
      "SELECT relname FROM pg_class WHERE relnamespace = 'others'::regnamespace",
    );
    expect(rows).toEqual([{ relname: "things" }]);
    await db.close();
  });

  it("is refused where a newer Knack has used it", async () => {
    const url = server.url();
    const db = await openPostgres(url);
    await db.run("INSERT INTO schema_migrations (version) VALUES (99)");
    await db.close();
    await expect(openPostgres(url)).rejects.toMatchObject({ code: "NEWER" });
  });

  it.each([
    ["postgres://knack@127.0.0.1:PORT/nowhere", /does not exist/],
    ["postgres://knack@127.0.0.1:PORT/postgres?schema=A-B", /schema in store.url is not valid/],
    ["postgres://[", /not a valid address/],
    ["postgres://knack@no-such-host.invalid/postgres", /cannot be reached/],
  ])("says what is wrong with %s", async (url, message) => {
    const given = url.replace("PORT", String(server.port));
    await expect(openPostgres(given, { patienceMs: 200 })).rejects.toThrow(message);
  });
});
