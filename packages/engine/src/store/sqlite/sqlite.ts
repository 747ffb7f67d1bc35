import { closeSync, fdatasyncSync, openSync } from "node:fs";
import type { Database, Parameter, TransactionOptions } from "../database.ts";
import { type Executed, Line, Statements, TransactionHandle, traced } from "../line.ts";
import { retryBusy, SqliteConnection, sqliteStoreError } from "./sqlite-connection.ts";
import { databaseFile, ensureSchema } from "./sqlite-file.ts";

const BUSY_TIMEOUT_MS = 5000;

/** `busyTimeoutMs`: how long a call waits for another process. */
export async function openSqlite(
  path: string,
  { busyTimeoutMs = BUSY_TIMEOUT_MS }: { readonly busyTimeoutMs?: number | undefined } = {},
): Promise<Database> {
  const file = databaseFile(path);
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(file);
    await ensureSchema(connection, file, busyTimeoutMs);
    return new SqliteDatabase(connection, file, busyTimeoutMs);
  } catch (error) {
    connection?.close();
    throw error;
  }
}

/** One connection has one transaction at a time, so every call waits in the line. */
class SqliteDatabase extends Statements implements Database {
  readonly #connection: SqliteConnection;
  readonly #file: string;
  readonly #busyTimeoutMs: number;
  readonly #line = new Line();

  constructor(connection: SqliteConnection, file: string, busyTimeoutMs: number) {
    super();
    this.#connection = connection;
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /** A statement outside a transaction is its own transaction. */
  execute(sql: string, parameters?: readonly Parameter[]): Promise<Executed> {
    return this.#turn(() => this.#connection.execute(sql, parameters));
  }

  override async run(sql: string, parameters?: readonly Parameter[]): Promise<{ readonly changes: number }> {
    const { changes } = await this.#turn(() => {
      this.#connection.setDurable(true);
      return this.#connection.execute(sql, parameters);
    });
    return { changes };
  }

  transaction<T>(work: (tx: Database) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return traced("sqlite", options, () => this.#line.turn(() => this.#transact(work, options)));
  }

  async #transact<T>(work: (tx: Database) => Promise<T>, options: TransactionOptions): Promise<T> {
    const connection = this.#connection;
    await retryBusy(this.#busyTimeoutMs, () => {
      connection.setDurable(options.durable ?? true);
      connection.execute("BEGIN IMMEDIATE");
    });
    try {
      const result = await this.#line.inside(new TransactionHandle(connection), work);
      connection.execute("COMMIT");
      return result;
    } catch (error) {
      connection.rollback();
      throw error;
    }
  }

  flush(): Promise<void> {
    return this.#line.turn(() => {
      try {
        const descriptor = openSync(`${this.#file}-wal`, "r+");
        try {
          fdatasyncSync(descriptor);
        } finally {
          closeSync(descriptor);
        }
      } catch (error) {
        // Without a log everything is in the file, which SQLite synced.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw sqliteStoreError(error, this.#file);
      }
    });
  }

  close(): Promise<void> {
    return this.#line.close(() => this.#connection.close());
  }

  #turn<T>(work: () => T): Promise<T> {
    return this.#line.turn(() => retryBusy(this.#busyTimeoutMs, work));
  }
}
