import { hash } from "node:crypto";
import type pg from "pg";
import type { Parameter, Row } from "../database.ts";
import type { Executed } from "../line.ts";
import { isConnectionLost } from "./postgres-errors.ts";

const converted = new Map<string, string>();

/** Statements differ only in their number of placeholders, so few texts are expected. */
const MAX_KEPT = 1000;

/** `?` → `$1`, `$2`, …, outside of quotes: the form that PostgreSQL takes. */
export function numbered(sql: string): string {
  let text = converted.get(sql);
  if (text === undefined) {
    let count = 0;
    text = sql.replaceAll(/'[^']*'|"[^"]*"|\?/g, (part) => (part === "?" ? `$${++count}` : part));
    if (converted.size >= MAX_KEPT) converted.clear();
    converted.set(sql, text);
  }
  return text;
}

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

/** Does something on one connection, which is closed if it breaks. */
export async function borrow<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  try {
    return await work(client);
  } catch (error) {
    isBroken = isConnectionLost(error);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

export async function query(
  client: pg.ClientBase,
  sql: string,
  parameters: readonly Parameter[] = [],
): Promise<Executed> {
  const text = numbered(sql);
  const values = parameters.map(storable);
  const { rows, rowCount } = await client.query<Row>({ name: nameOf(text), text, values });
  return { rows, changes: rowCount ?? 0 };
}

/** The statements of a transaction, on its connection. */
export class PostgresStatements {
  readonly #client: pg.ClientBase;
  /** The first error of a statement: PostgreSQL ignores all statements after it. */
  failure: unknown;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  get isRolledBack(): boolean {
    return this.failure !== undefined;
  }

  execute(sql: string, parameters?: readonly Parameter[]): Promise<Executed> {
    return this.#noted(query(this.#client, sql, parameters));
  }

  /** A statement in PostgreSQL's own form (`$1`), for a library that takes part in this transaction. */
  executeSql(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    return this.#noted(this.#client.query(text, values));
  }

  async #noted<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
