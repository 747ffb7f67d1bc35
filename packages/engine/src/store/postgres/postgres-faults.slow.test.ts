import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyStore } from "../../audit/verify-store.ts";
import { claimRun } from "../runs/claim.ts";
import { finishRun } from "../runs/finish.ts";
import { SCHEMA_VERSION } from "../schema.ts";
import { claimFor, storeOn, successOf } from "../testing/example-run.ts";
import { CuttingProxy } from "../testing/postgres/cutting-proxy.ts";
import { hasPooler, startPooler } from "../testing/postgres/pooler.ts";
import { TestServer } from "../testing/postgres/server.ts";
import { processesAtOnce } from "../testing/processes.ts";
import { openPostgres } from "./postgres.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start("18", ["max_connections=40"]);
});
afterAll(() => server?.[Symbol.asyncDispose]());

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
