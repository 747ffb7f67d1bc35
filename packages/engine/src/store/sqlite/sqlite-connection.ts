import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { tryOr } from "@knack/core/files";
import { isStoreError, KnackError, type StoreErrorCode } from "@knack/core/text";
import type { Parameter, Row } from "../database.ts";
import type { Executed } from "../line.ts";

const DISK_FULL = [
  "DISK_FULL",
  "the disk is full, nothing was recorded. Free some space and try again.",
] as const;
const LOCKED = [
  "BUSY",
  "another process kept the database locked for too long. Try again; if it happens again, end that process.",
] as const;
const DAMAGED = [
  "CORRUPT",
  "the database is damaged (…). Restore it from a backup, or move it away to start with an empty one.",
] as const;
const FAILED = [
  "IO",
  "the database could not be read or written (…). Check the disk and the folder.",
] as const;

const FOREIGN =
  "Knack did not create this file and does not change it. Set store.url to another file, or move this one away.";
/** What SQLite's primary result codes (sqlite.org/rescode.html) mean for the user; `…` is SQLite's own message. */
const MEANINGS: Readonly<Record<number, readonly [StoreErrorCode, string]>> = {
  5: LOCKED, // BUSY
  6: LOCKED,
  8: ["READONLY", "the database cannot be written. Check the permissions of the file and its folder."],
  10: FAILED, // IOERR
  11: DAMAGED, // CORRUPT
  13: DISK_FULL, // FULL
  14: FAILED, // CANTOPEN
  26: ["FOREIGN", FOREIGN], // NOTADB
};

/** Translates an SQLite error for the user. Other errors are returned as they are. */
export function sqliteStoreError(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error;
  const { errcode = 0, code } = error as { errcode?: number; code?: unknown };
  let meaning = MEANINGS[errcode & 0xff];
  // If SQLite could not create or extend a file beside the database, it does not say why.
  if (meaning === FAILED && isDiskFull(file)) meaning = DISK_FULL;
  if (code === "ERR_OUT_OF_RANGE")
    meaning = [
      "CORRUPT",
      "the database contains a number that Knack did not write. Restore it from a backup.",
    ];
  if (!meaning) return error;
  const [kind, text] = meaning;
  return new KnackError(kind, `${file}: ${text.replace("…", () => error.message)}`, { cause: error });
}

export function foreign(file: string): KnackError {
  return new KnackError("FOREIGN", `${file}: ${FOREIGN}`);
}

function isDiskFull(file: string): boolean {
  // Where the folder is missing, or the file system gives no reason, SQLite's error is kept.
  return tryOr(() => statfsSync(dirname(file)).bavail === 0, false);
}

/** Statements differ only in their number of placeholders, so few texts are expected. */
const MAX_STATEMENTS = 200;

/** Short, because SQLite blocks the process while it waits. `retryBusy` is for longer waits. */
const BUSY_TIMEOUT_MS = 5;

export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #prepared = new Map<
    string,
    { readonly statement: StatementSync; readonly returnsRows: boolean }
  >();
  #durable: boolean | undefined;

  constructor(file: string) {
    this.#file = file;
    // Asked for here: a process that parses a file shares code with this one, and has no SQLite.
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    this.#database = this.#translated(
      () => new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, defensive: true, allowExtension: false }),
    );
  }

  /** Of a transaction: after a full disk SQLite has rolled back, and another statement would commit on its own. */
  get isRolledBack(): boolean {
    return !this.#database.isTransaction;
  }

  execute(sql: string, parameters: readonly Parameter[] = []): Executed {
    return this.#translated(() => {
      const { statement, returnsRows } = this.#prepare(sql);
      if (!returnsRows) return { rows: [], changes: Number(statement.run(...parameters).changes) };
      const rows = statement.all(...parameters) as Row[];
      return { rows, changes: rows.length };
    });
  }

  exec(sql: string): void {
    this.#translated(() => this.#database.exec(sql));
  }

  /** Whether each commit from now on waits for the disk. Has no effect inside a transaction. */
  setDurable(durable: boolean): void {
    if (this.#durable === durable) return;
    this.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    this.#durable = durable;
  }

  /** Rolls back if a transaction is open; after some errors SQLite has done so itself. */
  rollback(): void {
    if (this.#database.isTransaction) this.exec("ROLLBACK");
  }

  close(): void {
    this.#prepared.clear();
    this.#translated(() => this.#database.close());
  }

  #prepare(sql: string) {
    let prepared = this.#prepared.get(sql);
    if (prepared) return prepared;
    if (this.#prepared.size >= MAX_STATEMENTS) this.#prepared.clear();
    const statement = this.#database.prepare(sql);
    prepared = { statement, returnsRows: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  #translated<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw sqliteStoreError(error, this.#file);
    }
  }
}

const LONGEST_PAUSE_MS = 25;

/** Retries what another connection may block. SQLite's timeout would block the process, which may have that connection. */
export async function retryBusy<T>(timeoutMs: number, work: () => T): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (let longest = 1; ; longest = Math.min(longest * 2, LONGEST_PAUSE_MS)) {
    try {
      return work();
    } catch (error) {
      if (!isStoreError(error) || error.code !== "BUSY" || performance.now() >= end) throw error;
      // Random, so that waiting processes do not collide again.
      await wait(Math.random() * longest);
    }
  }
}
