import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Parameter, Row } from "../database.ts";
import { storeErrorOf } from "./sqlite-errors.ts";

/** Statements differ only in their number of placeholders, so few texts are expected. */
const MAX_STATEMENTS = 200;

/** Short, because SQLite blocks the process while it waits. `retryBusy` is for longer waits. */
const BUSY_TIMEOUT_MS = 5;

/** One connection of node:sqlite: cached prepared statements, readable errors. */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #statements = new Map<string, StatementSync>();
  #durable: boolean | undefined;

  constructor(file: string) {
    this.#file = file;
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
