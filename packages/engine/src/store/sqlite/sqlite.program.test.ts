import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Folder, makeFolder } from "@knack/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../open-store.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "../schema.ts";
import { describeDatabase } from "../testing/contract/contract.ts";
import { mkfifoSync, processesAtOnce } from "../testing/processes.ts";
import type { StoreName } from "../testing/wrong-stores.ts";
import { openSqlite } from "./sqlite.ts";
import { refuseOldSqlite } from "./sqlite-file.ts";

describeDatabase("SQLite", async () => {
  const folder = makeFolder();
  const db = await openSqlite(folder.at("state.db"));
  return {
    db,
    openAgain: () => openSqlite(folder.at("state.db")),
    dispose: async () => {
      await db.close();
      folder[Symbol.dispose]();
    },
  };
});

describe("opening a SQLite file", () => {
  let folder: Folder;
  let file: string;
  beforeEach(() => {
    folder = makeFolder();
    file = folder.at(".knack", "state.db");
  });
  afterEach(() => folder[Symbol.dispose]());

  /** Refused, and every byte and file name beside it unchanged. */
  const refuses = async (path: string, code: string, message: RegExp): Promise<void> => {
    const before = readFileSync(path);
    const error = await openSqlite(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "KnackError", code });
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).toContain(path);
    expect(readFileSync(path).equals(before)).toBe(true);
  };

  it("makes the file for the user alone, with our mark and the version of the schema", async () => {
    const db = await openSqlite(file);
    await db.run("INSERT INTO task_edges VALUES ('p', 'a', 'b')");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder.at(".knack")).mode & 0o777).toBe(0o700);
    expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600);
    expect(await db.get("PRAGMA application_id")).toEqual({ application_id: APPLICATION_ID });
    expect(await db.get("PRAGMA user_version")).toEqual({ user_version: SCHEMA_VERSION });
    expect(await db.get("PRAGMA journal_mode")).toEqual({ journal_mode: "wal" });
    expect(await db.get("PRAGMA synchronous")).toEqual({ synchronous: 2 });
    await db.close();
    await (await openSqlite(file)).close();
  });

  it("takes an empty file, and refuses a link to a file, to nothing yet, and at its log or journal", async () => {
    folder.write({ "empty.db": "", "link.db": { link: "empty.db" }, "new-link.db": { link: "new.db" } });
    await (await openSqlite(folder.at("empty.db"))).close();
    for (const name of ["link.db", "new-link.db"])
      await expect(openSqlite(folder.at(name))).rejects.toMatchObject({
        code: "NOT_A_FILE",
        message: /symbolic link/,
      });
    expect(statSync(folder.at("new.db"), { throwIfNoEntry: false })).toBeUndefined();
    for (const end of ["-wal", "-shm", "-journal"]) {
      const path = folder.at(`beside${end}`, "state.db");
      await (await openSqlite(path)).close();
      symlinkSync(folder.at("target"), `${path}${end}`);
      await expect(openSqlite(path)).rejects.toMatchObject({ code: "NOT_A_FILE", message: /symbolic link/ });
      expect(statSync(folder.at("target"), { throwIfNoEntry: false })).toBeUndefined();
    }
  });

  it.each([
    ["an older version than any that was released", 1, "SCHEMA", /Move it away/],
    ["no version", 0, "SCHEMA", /Move it away/],
    ["the version of a newer Knack", 99, "NEWER", /schema 99.*Update Knack/],
  ])("refuses a database with %s, as it is", async (_what, version, code, message) => {
    await (await openSqlite(file)).close();
    const other = new DatabaseSync(file);
    other.exec(`PRAGMA user_version = ${version}`);
    other.close();
    await refuses(file, code, message);
  });

  it("refuses a file that is no database, and a database of another program, as they are", async () => {
    folder.write({ "notes.db": "these are my notes\n".repeat(300), "short.db": "x" });
    await refuses(folder.at("notes.db"), "FOREIGN", /Knack did not create this file/);
    await refuses(folder.at("short.db"), "FOREIGN", /Knack did not create this file/);
    for (const mode of ["delete", "wal"]) {
      const other = folder.at(`${mode}.db`);
      const foreign = new DatabaseSync(other);
      foreign.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE t (x); INSERT INTO t VALUES (1)`);
      foreign.close();
      await refuses(other, "FOREIGN", /Knack did not create this file/);
      expect(statSync(`${other}-wal`, { throwIfNoEntry: false })).toBeUndefined();
    }
  });

  it("refuses a newer Knack's database whose version is in its log only", async () => {
    const db = await openSqlite(file);
    await db.get("PRAGMA user_version = 99");
    for (const end of ["", "-wal"]) writeFileSync(folder.at(`copy.db${end}`), readFileSync(`${file}${end}`));
    await db.close();
    await expect(openSqlite(folder.at("copy.db"))).rejects.toMatchObject({ code: "NEWER" });
  });

  it("says what is in the way where there is no regular file", async () => {
    mkdirSync(file, { recursive: true });
    await expect(openSqlite(file)).rejects.toMatchObject({ code: "NOT_A_FILE" });
    mkfifoSync(folder.at("pipe"));
    await expect(openSqlite(folder.at("pipe"))).rejects.toMatchObject({ code: "NOT_A_FILE" });
    symlinkSync("loop", folder.at("loop"));
    await expect(openSqlite(folder.at("loop"))).rejects.toMatchObject({ code: "NOT_A_FILE" });
    folder.write({ plain: "x" });
    await expect(openSqlite(folder.at("plain", "state.db"))).rejects.toMatchObject({ code: "IO" });
  });

  it("refuses a SQLite that can lose what was committed", () => {
    for (const version of ["3.51.2", "3.9.9", "3.45.0"])
      expect(() => refuseOldSqlite(version)).toThrow(/3\.51\.3 or newer/);
    for (const version of ["3.51.3", "3.51.10", "3.53.4", "4.0.0"]) refuseOldSqlite(version);
  });

  it("answers a damaged database with CORRUPT", async () => {
    await (await openSqlite(file)).close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 100);
    writeFileSync(file, bytes);
    await expect(openSqlite(file)).rejects.toMatchObject({ code: "CORRUPT", message: /backup/ });
  });

  it("answers BUSY when another process keeps the database", async () => {
    const db = await openSqlite(file, { busyTimeoutMs: 50 });
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    await expect(db.transaction(async () => 1)).rejects.toMatchObject({
      code: "BUSY",
      message: /another process/,
    });
    other.exec("ROLLBACK");
    expect(await db.transaction(async () => 1)).toBe(1);
    other.close();
    await db.close();
  });

  it("answers BUSY at once where a caller has no time to wait", async () => {
    const { db } = await openStore(`sqlite:${file}`, {
      actor: "",
      record: async () => undefined,
      limitMs: 0,
    });
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    // Whoever waits gets it in the end.
    const later = setTimeout(() => other.exec("ROLLBACK"), 1_000);
    await expect(db.transaction(async () => 1)).rejects.toMatchObject({ code: "BUSY" });
    clearTimeout(later);
    other.close();
    await db.close();
  });

  it("answers READONLY for a file that cannot be written", async () => {
    await (await openSqlite(file)).close();
    // The superuser may write everything, so make the connection read-only instead.
    const asUser = process.getuid?.() !== 0;
    if (asUser) chmodSync(file, 0o400);
    const db = await openSqlite(file);
    if (!asUser) await db.get("PRAGMA query_only = ON");
    await expect(db.run("DELETE FROM plans")).rejects.toMatchObject({
      code: "READONLY",
      message: /permissions/,
    });
    await db.close();
  });

  it("of many processes that open a new file at once, all succeed", async () => {
    const outputs = await processesAtOnce("open-child.ts", 8, [file]);
    expect(outputs.map(({ output }) => output)).toEqual(Array(8).fill("ready\ndone\n"));
    const db = await openSqlite(file);
    expect(await db.all("SELECT only_row FROM store_identity")).toEqual([{ only_row: 1 }]);
    expect(await db.all("SELECT * FROM task_edges")).toHaveLength(8);
    await db.close();
  });
});

const RUNS = 40;
const canTrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;

/** How many reports were written without a completed sync since the previous report. */
function reportsWithoutSync(name: StoreName): number {
  using folder = makeFolder();
  const trace = folder.at("trace");
  const child = join(import.meta.dirname, "..", "testing", "children", "crash-child.ts");
  const program = [process.execPath, child, folder.at("state.db"), name, String(RUNS)];
  spawnSync("strace", ["-f", "-e", "trace=fsync,fdatasync,write", "-o", trace, ...program]);
  let synced = false;
  let reports = 0;
  let early = 0;
  for (const line of readFileSync(trace, "utf8").split("\n")) {
    if (/\b(fsync|fdatasync)(\(| resumed).*= 0$/.test(line)) synced = true;
    if (!/write\(1, "[0-9a-f]{8}-/.test(line)) continue;
    reports++;
    if (!synced) early++;
    synced = false;
  }
  expect(reports).toBe(RUNS);
  return early;
}

/** A kill cannot tell a synced commit from an unsynced one; the system calls can. */
describe.skipIf(!canTrace)("durable success: system calls", () => {
  it("reports each run after its sync", () => {
    expect(reportsWithoutSync("right")).toBe(0);
  });

  it("would find a store that does not wait for the disk", () => {
    expect(reportsWithoutSync("not-synced")).toBeGreaterThan(RUNS / 2);
  });
});
