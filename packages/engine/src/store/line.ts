import { AsyncLocalStorage } from "node:async_hooks";
import { span } from "@knack/core/telemetry";
import { KnackError } from "@knack/core/text";
import type { Database, Parameter, Row, TransactionOptions } from "./database.ts";

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
      throw new KnackError("MISUSE", "Inside a transaction, use only the transaction's own handle.");
    if (this.#closing) throw new KnackError("MISUSE", "The database is closed.");
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

/** A transaction as a span, with no word of its statements. */
export function traced<T>(
  system: "sqlite" | "postgresql",
  { durable = true }: TransactionOptions,
  transaction: () => Promise<T>,
): Promise<T> {
  const attributes = { "db.system.name": system, "db.operation.name": "transaction" };
  return span("db.transaction", { ...attributes, "knack.db.durable": durable }, transaction);
}

export interface Executed {
  readonly rows: Row[];
  readonly changes: number;
}

/** The three ways to ask for a statement, made of the one way to execute it. */
export abstract class Statements {
  abstract execute(sql: string, parameters?: readonly Parameter[]): Promise<Executed>;

  async all(sql: string, parameters?: readonly Parameter[]): Promise<Row[]> {
    return (await this.execute(sql, parameters)).rows;
  }

  async get(sql: string, parameters?: readonly Parameter[]): Promise<Row | undefined> {
    return (await this.execute(sql, parameters)).rows[0];
  }

  async run(sql: string, parameters?: readonly Parameter[]): Promise<{ readonly changes: number }> {
    return { changes: (await this.execute(sql, parameters)).changes };
  }
}

interface Connection {
  execute(sql: string, parameters?: readonly Parameter[]): Executed | Promise<Executed>;
  /** Whether the database has given up the transaction: another statement would not belong to it. */
  readonly isRolledBack: boolean;
}

/** The handle for the work of a transaction: one connection, without waiting in the line, until the transaction ends. */
export class TransactionHandle extends Statements implements Database {
  readonly #connection: Connection;
  isOpen = true;

  constructor(connection: Connection) {
    super();
    this.#connection = connection;
  }

  async execute(sql: string, parameters?: readonly Parameter[]): Promise<Executed> {
    return this.use().execute(sql, parameters);
  }

  /** The connection; throws where another statement would not belong to the transaction. */
  use(): Connection {
    if (!this.isOpen) throw new KnackError("MISUSE", "The transaction has ended.");
    if (this.#connection.isRolledBack)
      throw new KnackError(
        "MISUSE",
        "The transaction was rolled back after an error that its function did not pass on.",
      );
    return this.#connection;
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
  throw new KnackError("MISUSE", message);
}
