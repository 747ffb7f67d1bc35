import { createHash } from "node:crypto";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import type { Database } from "../store/database.ts";
import { openSqlite } from "../store/sqlite/sqlite.ts";
import type { NewEvent } from "../store/store.ts";
import { appendEvents, eventHash, genesisFor, genesisOf, headOf, NO_HEAD } from "./chain.ts";
import { exportLog } from "./events.ts";
import { type Verification, verifyLog, verifyStore } from "./verify-store.ts";

const event = (payload: Record<string, unknown>, more: Partial<NewEvent> = {}): NewEvent => ({
  type: "SKILL_RUN",
  runId: "r",
  payload,
  ...more,
});
const BY = { actor: "test", at: "2026-01-01T00:00:00.000Z" };

/** A log of this many records, for as long as `work` needs it. */
async function withLog<T>(count: number, work: (db: Database) => Promise<T>): Promise<T> {
  using folder = makeFolder();
  const db = await openSqlite(folder.at("state.db"));
  try {
    await append(db, ...Array.from({ length: count }, (_, number) => event({ number: number + 1 })));
    return await work(db);
  } finally {
    await db.close();
  }
}

const append = (db: Database, ...events: NewEvent[]): Promise<void> =>
  db.transaction((tx) => appendEvents(tx, events, BY));

async function linesOf(db: Database): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLog(db)) lines.push(line);
  return lines;
}

/** Gives a record the hash that fits what it now says. */
async function rehash(db: Database, seq: number): Promise<void> {
  const row = await db.get("SELECT * FROM task_events WHERE seq = ?", [seq]);
  await db.run("UPDATE task_events SET hash = ? WHERE seq = ?", [eventHash(row as never), seq]);
}

describe("the hash chain", () => {
  it("begins at the store's own id, holds, and has the last record's hash as its head", async () => {
    await withLog(0, async (db) => {
      const store = await db.get("SELECT store_id FROM store_identity");
      const begin = genesisFor(String(store?.store_id));
      expect(await verifyLog(db)).toEqual({ ok: true, count: 0, head: begin });
      await append(db, event({ a: 1 }), event({ a: 2 }));
      await append(db, event({ a: 3 }));
      const { hash } = await headOf(db);
      expect(await verifyLog(db)).toEqual({ ok: true, count: 3, head: hash });
      const first = await db.get("SELECT prev_hash FROM task_events WHERE seq = 1");
      expect(first?.prev_hash).toBe(begin);
    });
  });

  it("is what the encoding says: version, then each field with its length", () => {
    const record = {
      seq: 7,
      event_type: "ERROR",
      plan_id: null,
      task_id: "t",
      run_id: "",
      actor: "é",
      payload_json: "{}",
      created_at: BY.at,
      prev_hash: "00",
    };
    const text = "knack-event-1\n1:7\n5:ERROR\n-\n1:t\n0:\n2:é\n2:{}\n24:2026-01-01T00:00:00.000Z\n2:00\n";
    expect(eventHash(record)).toBe(createHash("sha256").update(text).digest("hex"));
  });

  it("leaves no event of a transaction that threw", async () => {
    await withLog(1, async (db) => {
      const failing = db.transaction(async (tx) => {
        await appendEvents(tx, [event({})], BY);
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      expect(await verifyLog(db)).toMatchObject({ ok: true, count: 1 });
    });
  });

  it("holds over many batches, and over text that no encoding can hold", async () => {
    await withLog(1234, async (db) => {
      await append(db, event({ text: "\ud800 \0 \u2028" }, { taskId: "half \ud83d", runId: "\0" }));
      expect(await verifyLog(db)).toMatchObject({ ok: true, count: 1235 });
    });
  });
});

describe("verify names the first record that does not hold", () => {
  type Damage = (db: Database) => Promise<unknown>;
  const update =
    (sql: string): Damage =>
    (db) =>
      db.run(`UPDATE task_events SET ${sql}`);
  const cases: Readonly<Record<string, [Damage, number, string]>> = {
    "a payload was edited": [update(`payload_json = '{"number":6}' WHERE seq = 5`), 5, "edited"],
    "an actor was edited": [update("actor = 'other' WHERE seq = 1"), 1, "edited"],
    "a field became a blob": [update("payload_json = x'7b7d' WHERE seq = 5"), 5, "edited"],
    "a task was added": [update("task_id = '' WHERE seq = 5"), 5, "edited"],
    "the last record was edited": [update("created_at = 'x' WHERE seq = 10"), 10, "edited"],
    "a hash was edited": [update("hash = 'x' WHERE seq = 5"), 5, "hash edited"],
    "a link was edited": [update("prev_hash = 'x' WHERE seq = 5"), 5, "link edited"],
    "a record was deleted": [(db) => db.run("DELETE FROM task_events WHERE seq = 5"), 5, "missing"],
    "the first was deleted": [(db) => db.run("DELETE FROM task_events WHERE seq = 1"), 1, "missing"],
    "a record was put far away": [update("seq = 9223372036854775807 WHERE seq = 5"), 5, "missing"],
    "two records were exchanged": [
      async (db) => {
        for (const [from, to] of [
          [5, 50],
          [6, 5],
          [50, 6],
        ])
          await db.run("UPDATE task_events SET seq = ? WHERE seq = ?", [to!, from!]);
      },
      5,
      "moved",
    ],
    "one was deleted and the rest moved up": [
      async (db) => {
        await db.run("DELETE FROM task_events WHERE seq = 5");
        for (let seq = 6; seq <= 10; seq++)
          await db.run("UPDATE task_events SET seq = ? WHERE seq = ?", [seq - 1, seq]);
      },
      5,
      "moved",
    ],
    "a record was edited together with its hash": [
      async (db) => {
        await db.run("UPDATE task_events SET payload_json = '{}' WHERE seq = 5");
        await rehash(db, 5);
      },
      5,
      "rewritten",
    ],
  };
  it.each(Object.entries(cases))("%s", async (_name, [damage, seq, fault]) => {
    await withLog(10, async (db) => {
      await damage(db);
      const found = await verifyLog(db);
      expect(found).toMatchObject({ ok: false, seq, fault, count: seq - 1 });
      expect((found as Verification & { ok: false }).message).toContain(String(seq));
    });
  });
});

describe("promise 15: a log belongs to its store", () => {
  it("does not hold in another store", async () => {
    await withLog(3, async (db) => {
      await db.run("UPDATE store_identity SET store_id = 'another'");
      expect(await verifyLog(db)).toMatchObject({ ok: false, seq: 1, fault: "foreign" });
    });
  });

  it("finds a log that begins as no store's log does, and a forged row that no record names", async () => {
    await withLog(0, async (db) => {
      const record = {
        ...{ seq: 1, event_type: "ERROR", plan_id: null, task_id: null, run_id: null, actor: "forger" },
        ...{ payload_json: "{}", created_at: BY.at, prev_hash: NO_HEAD },
      };
      await db.run("INSERT INTO task_events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [
        ...Object.values(record),
        eventHash(record),
      ]);
      expect(await verifyLog(db)).toMatchObject({ ok: false, fault: "foreign" });
      await db.run("DELETE FROM task_events");
      await append(db, event({ a: 1 }));
      await db.run("INSERT INTO plans VALUES ('p', 'forged', 'plan.yaml', 'x', '{}', '', '')");
      expect(await verifyStore(db)).toMatchObject({ ok: false, fault: "row unknown", table: "plans" });
    });
  });
});

describe("a cut tail", () => {
  it("is found with a head that was kept, and with nothing else", async () => {
    await withLog(10, async (db) => {
      const { head } = JSON.parse((await linesOf(db)).at(-1)!) as { head: string };
      expect(await verifyLog(db, head)).toMatchObject({ ok: true });
      expect(await verifyLog(db, NO_HEAD)).toMatchObject({ ok: true });
      await append(db, event({ more: true }));
      expect(await verifyLog(db, head)).toMatchObject({ ok: true, count: 11 });
      await db.run("DELETE FROM task_events WHERE seq > 7");
      expect(await verifyLog(db)).toMatchObject({ ok: true, count: 7 });
      expect(await verifyLog(db, head)).toMatchObject({ ok: false, seq: 8, fault: "cut" });
      await append(db, event({ other: 1 }), event({ other: 2 }), event({ other: 3 }));
      expect(await verifyLog(db, head)).toMatchObject({ ok: false, fault: "cut" });
    });
  });
});

describe("export", () => {
  it("is one record a line and the head last, from which the chain can be checked", async () => {
    await withLog(600, async (db) => {
      const lines = (await linesOf(db)).map((line) => JSON.parse(line) as Record<string, never>);
      expect(lines).toHaveLength(601);
      let last = await genesisOf(db);
      for (const record of lines.slice(0, -1)) {
        expect(record.prev_hash).toBe(last);
        expect(eventHash(record as never)).toBe(record.hash);
        last = record.hash!;
      }
      expect(lines.at(-1)).toEqual({ head: last });
    });
    await withLog(0, async (db) =>
      expect(await linesOf(db)).toEqual([JSON.stringify({ head: await genesisOf(db) })]),
    );
  });

  it("keeps a record on one line, whatever is in it", async () => {
    const hostile = "\n2026-01-01 INFO run SUCCEEDED\r\u2028\u2029\u0085\u001b[2J\u009b31m\0\u007f";
    await withLog(0, async (db) => {
      await append(db, event({ name: hostile }, { taskId: hostile, runId: hostile }));
      const lines = await linesOf(db);
      expect(lines).toHaveLength(2);
      for (const line of lines) expect(line).not.toMatch(/[\0-\u001f\u007f-\u009f\u2028\u2029]/);
      const record = JSON.parse(lines[0]!) as { task_id: string; payload_json: string };
      expect(record.task_id).toBe(hostile);
      expect(JSON.parse(record.payload_json)).toEqual({ name: hostile });
    });
  });
});
