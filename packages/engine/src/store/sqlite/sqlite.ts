import { AsyncLocalStorage } from "node:async_hooks";
import { closeSync, fdatasyncSync, openSync } from "node:fs";
import type { Database, Parameter, Row, TransactionOptions } from "../database.ts";
import { StoreError } from "../store-error.ts";
import { retryBusy } from "./retry-busy.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { storeErrorOf } from "./sqlite-errors.ts";
import { type DatabaseFile, type FileRules, takeDatabaseFile } from "./sqlite-file.ts";
import { migrate } from "./sqlite-migrate.ts";

const BUSY_TIMEOUT_MS = 5000;

export interface SqliteOptions extends FileRules {
  /** The expected store id; a database with another id is foreign. */
  readonly storeId?: string;
  /** How long a call waits for another process. */
  readonly busyTimeoutMs?: number;
}

/** Opens Knack's database in this file; creates and migrates it if needed. Refuses any other file unchanged. */
export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<Database> {
  const { busyTimeoutMs = BUSY_TIMEOUT_MS, storeId } = options;
  const taken = takeDatabaseFile(file, options);
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(taken.real);
    await migrate(connection, taken.real, busyTimeoutMs);
    taken.checkAgain();
    if (storeId !== undefined) refuseOtherStore(connection, taken.real, storeId);
    return new SqliteDatabase(connection, taken, busyTimeoutMs);
  } catch (error) {
    connection?.close();
    taken.release();
    throw error;
  }
}

function refuseOtherStore(connection: SqliteConnection, file: string, storeId: string): void {
  if (connection.get("SELECT store_id FROM store_identity")?.store_id === storeId) return;
  throw new StoreError(
    "FOREIGN",
    `${file}: this is not the database that your Knack created here. Move it away, or check and import it: knack audit import.`,
  );
}

/** One connection has one transaction at a time: calls wait in a queue, and a whole transaction is one turn. */
class SqliteDatabase implements Database {
  readonly #connection: SqliteConnection;
  readonly #file: DatabaseFile;
  readonly #busyTimeoutMs: number;
  readonly #inside = new AsyncLocalStorage<SqliteTransaction>();
  #line: Promise<unknown> = Promise.resolve();
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(connection: SqliteConnection, file: DatabaseFile, busyTimeoutMs: number) {
    this.#connection = connection;
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  all(sql: string, parameters?: readonly Parameter[]): Promise<Row[]> {
    return this.#statement((connection) => connection.all(sql, parameters));
  }

  get(sql: string, parameters?: readonly Parameter[]): Promise<Row | undefined> {
    return this.#statement((connection) => connection.get(sql, parameters));
  }

  run(sql: string, parameters?: readonly Parameter[]): Promise<{ readonly changes: number }> {
    return this.#statement((connection) => {
      connection.setDurable(true);
      return connection.run(sql, parameters);
    });
  }

  transaction<T>(work: (tx: Database) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#turn(async () => {
      const connection = this.#connection;
      await retryBusy(this.#busyTimeoutMs, () => {
        connection.setDurable(options.durable ?? true);
        connection.run("BEGIN IMMEDIATE");
      });
      const tx = new SqliteTransaction(connection);
      try {
        const result = await this.#inside.run(tx, () => work(tx));
        tx.end();
        connection.run("COMMIT");
        return result;
      } catch (error) {
        tx.open = false;
        connection.rollback();
        throw error;
      }
    });
  }

  flush(): Promise<void> {
    return this.#turn(() => {
      try {
        const descriptor = openSync(`${this.#file.real}-wal`, "r+");
        try {
          fdatasyncSync(descriptor);
        } finally {
          closeSync(descriptor);
        }
      } catch (error) {
        // Without a log everything is in the file, which SQLite synced.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw storeErrorOf(error, this.#file.real);
      }
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#turn(() => {
      this.#closed = true;
      this.#connection.close();
      this.#file.release();
    });
    return this.#closing;
  }

  /** A statement outside a transaction is its own transaction. */
  #statement<T>(work: (connection: SqliteConnection) => T): Promise<T> {
    return this.#turn(() => retryBusy(this.#busyTimeoutMs, () => work(this.#connection)));
  }

  async #turn<T>(work: () => T | Promise<T>): Promise<T> {
    // It would wait for the end of the transaction that waits for it.
    if (this.#inside.getStore()?.open)
      throw new StoreError("MISUSE", "Inside a transaction, use only the transaction's own handle.");
    const turn = this.#line.then(() => {
      if (this.#closed) throw new StoreError("MISUSE", "The database is closed.");
      return work();
    });
    this.#line = turn.catch(() => undefined);
    return turn;
  }
}

/** The handle for the work of a transaction: the same connection, without queueing, until the transaction ends. */
class SqliteTransaction implements Database {
  readonly #connection: SqliteConnection;
  open = true;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async all(sql: string, parameters?: readonly Parameter[]): Promise<Row[]> {
    return this.#live().all(sql, parameters);
  }

  async get(sql: string, parameters?: readonly Parameter[]): Promise<Row | undefined> {
    return this.#live().get(sql, parameters);
  }

  async run(sql: string, parameters?: readonly Parameter[]): Promise<{ readonly changes: number }> {
    return this.#live().run(sql, parameters);
  }

  transaction<T>(): Promise<T> {
    return this.#refuse("Transactions cannot be nested.");
  }

  flush(): Promise<void> {
    return this.#refuse("A transaction is flushed when it commits; flush() is not allowed inside it.");
  }

  close(): Promise<void> {
    return this.#refuse("A transaction ends when its function returns; close() is not allowed inside it.");
  }

  end(): void {
    this.#live();
    this.open = false;
  }

  /** After a full disk SQLite has rolled back: another statement would commit on its own. */
  #live(): SqliteConnection {
    if (!this.open) throw new StoreError("MISUSE", "The transaction has ended.");
    if (!this.#connection.isTransaction)
      throw new StoreError(
        "MISUSE",
        "The transaction was rolled back after an error that its function did not pass on.",
      );
    return this.#connection;
  }

  async #refuse(message: string): Promise<never> {
    throw new StoreError("MISUSE", message);
  }
}
