import { hash } from "node:crypto";
import type pg from "pg";
import type { Parameter, Row } from "../database.ts";
import type { Executed } from "../line.ts";
import { isConnectionLost } from "./postgres-errors.ts";

interface Statement {
  /** A name makes the server keep the plan, which saves half of the time of a short statement. */
  readonly name: string;
  readonly text: string;
}

const statements = new Map<string, Statement>();

/** Statements differ only in their number of placeholders, so few texts are expected. */
const MAX_KEPT = 1000;

/** `?` → `$1`, `$2`, …, outside of quotes: the form that PostgreSQL takes. */
export function statementOf(sql: string): Statement {
  const known = statements.get(sql);
  if (known) return known;
  let count = 0;
  const text = sql.replaceAll(/'[^']*'|"[^"]*"|\?/g, (part) => (part === "?" ? `$${++count}` : part));
  const statement = { name: `k${hash("sha256", text, "hex").slice(0, 24)}`, text };
  if (statements.size >= MAX_KEPT) statements.clear();
  statements.set(sql, statement);
  return statement;
}

/** PostgreSQL has no NUL in text; SQLite has. It becomes its visible sign, so that the log of a run can be stored. */
function storable(value: Parameter): Parameter {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "␀") : value;
}

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

export async function inTransaction<T>(
  client: pg.ClientBase,
  begin: string,
  work: () => Promise<T>,
): Promise<T> {
  await client.query(begin);
  try {
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

export async function query(
  client: pg.ClientBase,
  sql: string,
  parameters: readonly Parameter[] = [],
): Promise<Executed> {
  const values = parameters.map(storable);
  const { rows, rowCount } = await client.query<Row>({ ...statementOf(sql), values });
  return { rows, changes: rowCount ?? 0 };
}

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
