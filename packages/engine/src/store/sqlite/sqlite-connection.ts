import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import type { Parameter, Row } from "../database.ts";
import { StoreError } from "../store.ts";

// Primary result codes of SQLite (sqlite.org/rescode.html).
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** SQLite's primary result code; 0 for an error that is not SQLite's. */
function sqliteCode(error: unknown): number {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return 0;
  return error.errcode & 0xff;
}

/** Translates an SQLite error for the user. Other errors are returned as they are. */
export function storeErrorOf(error: unknown, file: string): unknown {
  const told = (code: ConstructorParameters<typeof StoreError>[0], text: string): StoreError =>
    new StoreError(code, `${file}: ${text}`, { cause: error });
  const detail = error instanceof Error ? error.message : String(error);
  switch (sqliteCode(error)) {
    case FULL:
      return told("DISK_FULL", "the disk is full, nothing was recorded. Free some space and try again.");
    case BUSY:
    case LOCKED:
      return told(
        "BUSY",
        "another process kept the database locked for too long. Try again; if it happens again, end that process.",
      );
    case CORRUPT:
    case NOTADB:
      return told(
        "CORRUPT",
        `the database is damaged (${detail}). Restore it from a backup, or move it away to start with an empty one.`,
      );
    case READONLY:
      return told(
        "READONLY",
        "the database cannot be written. Check the permissions of the file and its folder.",
      );
    case IOERR:
    case CANTOPEN:
      // If SQLite could not create or extend a file beside the database, it does not say why.
      if (isDiskFull(file))
        return told("DISK_FULL", "the disk is full, nothing was recorded. Free some space and try again.");
      return told(
        "IO",
        `the database could not be read or written (${detail}). Check the disk and the folder.`,
      );
    default:
      if (error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE")
        return told(
          "CORRUPT",
          "the database contains a number that Knack did not write. Restore it from a backup.",
        );
      return error;
  }
}

function isDiskFull(file: string): boolean {
  try {
    return statfsSync(dirname(file)).bavail === 0;
  } catch {
    // The folder is missing, or the file system gives no reason: keep SQLite's error.
    return false;
  }
}

/** Statements differ only in their number of placeholders, so few texts are expected. */
const MAX_STATEMENTS = 200;

/** Short, because SQLite blocks the process while it waits. `retryBusy` is for longer waits. */
const BUSY_TIMEOUT_MS = 5;

export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #statements = new Map<string, StatementSync>();
  #durable: boolean | undefined;

  constructor(file: string) {
    this.#file = file;
    // Asked for here: a process that parses a file shares code with this one, and has no SQLite.
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    this.#database = this.#told(
      () => new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, defensive: true, allowExtension: false }),
    );
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  all(sql: string, parameters: readonly Parameter[] = []): Row[] {
    return this.#told(() => this.#prepare(sql).all(...parameters) as Row[]);
  }

  get(sql: string, parameters: readonly Parameter[] = []): Row | undefined {
    return this.#told(() => this.#prepare(sql).get(...parameters) as Row | undefined);
  }

  run(sql: string, parameters: readonly Parameter[] = []): { readonly changes: number } {
    return this.#told(() => ({ changes: Number(this.#prepare(sql).run(...parameters).changes) }));
  }

  exec(sql: string): void {
    this.#told(() => this.#database.exec(sql));
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
    this.#statements.clear();
    this.#told(() => this.#database.close());
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement) return statement;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #told<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeErrorOf(error, this.#file);
    }
  }
}

const LONGEST_PAUSE_MS = 25;

/**
 * Retries work that another connection may block, until it succeeds or times out. Unlike SQLite's own timeout it does not
 * block the process, because the other connection may be in the same process.
 */
export async function retryBusy<T>(timeoutMs: number, work: () => T): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (let longest = 1; ; longest = Math.min(longest * 2, LONGEST_PAUSE_MS)) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "BUSY" || performance.now() >= end) throw error;
      // Random, so that waiting processes do not collide again.
      await wait(Math.random() * longest);
    }
  }
}
