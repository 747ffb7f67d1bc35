import { AsyncLocalStorage } from "node:async_hooks";
import type { Database, Parameter, Row } from "./database.ts";
import { StoreError } from "./store.ts";

/** Calls of one database wait in a line, and a whole transaction is one turn. */
export class Line {
  readonly #inside = new AsyncLocalStorage<TransactionHandle>();
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  /** Resolves when everything that was asked for before is done. */
  get idle(): Promise<unknown> {
    return this.#last;
  }

  async turn<T>(work: () => T | Promise<T>): Promise<T> {
    this.check();
    return this.#next(work);
  }

  /** Throws where a call would wait for the transaction that waits for it, or after `close`. */
  check(): void {
    if (this.#inside.getStore()?.isOpen)
      throw new StoreError("MISUSE", "Inside a transaction, use only the transaction's own handle.");
    if (this.#closing) throw new StoreError("MISUSE", "The database is closed.");
  }

  /** Does the work of a transaction with its handle, which ends with it. */
  async inside<T>(tx: TransactionHandle, work: (tx: Database) => Promise<T>): Promise<T> {
    try {
      const result = await this.#inside.run(tx, () => work(tx));
      tx.use();
      return result;
    } finally {
      tx.isOpen = false;
    }
  }

  /** Once, after everything that was asked for before. */
  close(work: () => void | Promise<void>): Promise<void> {
    if (this.#inside.getStore()?.isOpen) return this.turn(async () => undefined);
    this.#closing ??= this.#next(work);
    return this.#closing;
  }

  #next<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** What runs statements: a connection, in its own way. */
interface Statements {
  all(sql: string, parameters?: readonly Parameter[]): Row[] | Promise<Row[]>;
  get(sql: string, parameters?: readonly Parameter[]): Row | undefined | Promise<Row | undefined>;
  run(sql: string, parameters?: readonly Parameter[]): Changes | Promise<Changes>;
  /** Whether the database has given up the transaction: another statement would not belong to it. */
  readonly isRolledBack: boolean;
}

type Changes = { readonly changes: number };

/** The handle for the work of a transaction: one connection, without waiting in the line, until the transaction ends. */
export class TransactionHandle<T extends Statements = Statements> implements Database {
  readonly #statements: T;
  isOpen = true;

  constructor(statements: T) {
    this.#statements = statements;
  }

  async all(sql: string, parameters?: readonly Parameter[]): Promise<Row[]> {
    return this.use().all(sql, parameters);
  }

  async get(sql: string, parameters?: readonly Parameter[]): Promise<Row | undefined> {
    return this.use().get(sql, parameters);
  }

  async run(sql: string, parameters?: readonly Parameter[]): Promise<Changes> {
    return this.use().run(sql, parameters);
  }

  /** The connection; throws where another statement would not belong to the transaction. */
  use(): T {
    if (!this.isOpen) throw new StoreError("MISUSE", "The transaction has ended.");
    if (this.#statements.isRolledBack)
      throw new StoreError(
        "MISUSE",
        "The transaction was rolled back after an error that its function did not pass on.",
      );
    return this.#statements;
  }

  transaction<R>(): Promise<R> {
    return refuse("Transactions cannot be nested.");
  }

  flush(): Promise<void> {
    return refuse("A transaction is flushed when it commits; flush() is not allowed inside it.");
  }

  close(): Promise<void> {
    return refuse("A transaction ends when its function returns; close() is not allowed inside it.");
  }
}

async function refuse(message: string): Promise<never> {
  throw new StoreError("MISUSE", message);
}
