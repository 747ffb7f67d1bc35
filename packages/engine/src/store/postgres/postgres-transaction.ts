import { hash } from "node:crypto";
import type pg from "pg";
import type { Database, Parameter, Row } from "../database.ts";
import { StoreError } from "../store-error.ts";
import { numbered } from "./placeholders.ts";

/** PostgreSQL has no NUL in text; SQLite has. It becomes its visible sign, so that the log of a run can be stored. */
function storable(value: Parameter): Parameter {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "␀") : value;
}

const names = new Map<string, string>();

/** A name makes the server keep the plan of a statement, which saves half of the time of a short one. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `k${hash("sha256", text, "hex").slice(0, 24)}`;
    names.set(text, name);
  }
  return name;
}

export async function query(
  client: pg.ClientBase,
  sql: string,
  parameters: readonly Parameter[] = [],
): Promise<pg.QueryResult<Row>> {
  const text = numbered(sql);
  return client.query<Row>({ name: nameOf(text), text, values: parameters.map(storable) });
}

/** The handle for the work of a transaction: one connection, until the transaction ends. */
export class PostgresTransaction implements Database {
  readonly #client: pg.ClientBase;
  open = true;
  /** The first error of a statement: PostgreSQL ignores all statements after it. */
  failure: unknown;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  async all(sql: string, parameters?: readonly Parameter[]): Promise<Row[]> {
    return (await this.#query(sql, parameters)).rows;
  }

  async get(sql: string, parameters?: readonly Parameter[]): Promise<Row | undefined> {
    return (await this.#query(sql, parameters)).rows[0];
  }

  async run(sql: string, parameters?: readonly Parameter[]): Promise<{ readonly changes: number }> {
    return { changes: (await this.#query(sql, parameters)).rowCount ?? 0 };
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

  /** A statement in PostgreSQL's own form (`$1`), for a library that takes part in this transaction. */
  executeSql(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    return this.#guarded(() => this.#client.query(text, values));
  }

  #query(sql: string, parameters?: readonly Parameter[]): Promise<pg.QueryResult<Row>> {
    return this.#guarded(() => query(this.#client, sql, parameters));
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    if (!this.open) throw new StoreError("MISUSE", "The transaction has ended.");
    if (this.failure !== undefined)
      throw new StoreError(
        "MISUSE",
        "The transaction was rolled back after an error that its function did not pass on.",
      );
    try {
      return await work();
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  async #refuse(message: string): Promise<never> {
    throw new StoreError("MISUSE", message);
  }
}
