/** One value of a row. A number beyond 2^53 never comes from Knack; the store answers `CORRUPT` for it. */
type Value = string | number | bigint | null | Uint8Array;
export type Row = Readonly<Record<string, Value>>;
export type Parameter = string | number | null;

export interface TransactionOptions {
  /**
   * `false`: what is committed survives the end of the process but perhaps not a power cut, and costs no sync. For
   * what is worthless after a power cut anyway, such as a claim. Default `true`.
   */
  readonly durable?: boolean;
}

/**
 * A database that speaks the SQL that SQLite and PostgreSQL share, with `?` for parameters. Every implementation passes
 * the suite in `contract.ts`.
 */
export interface Database {
  /** Reads; what writes goes through `run`, which waits for the disk. */
  all(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>;
  /** The first row. */
  get(sql: string, parameters?: readonly Parameter[]): Promise<Row | undefined>;
  run(sql: string, parameters?: readonly Parameter[]): Promise<{ readonly changes: number }>;
  /**
   * Commits what `work` did, or nothing of it if it throws. Transactions behave as if one came after the other, over all
   * processes; an implementation may call `work` again where it had to undo it. Calls that do not go through `tx` wait for
   * its end, so `work` itself must use `tx` alone; a transaction inside another is refused.
   */
  transaction<T>(work: (tx: Database) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Returns when everything that was committed would survive a power cut. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Where there is no database yet: nothing has happened, and looking at it makes none. */
export const NO_DATABASE: Database = {
  all: async () => [],
  get: async () => undefined,
  run: refuse,
  transaction: refuse,
  flush: async () => undefined,
  close: async () => undefined,
};

async function refuse(): Promise<never> {
  throw new Error("There is no database to write to.");
}
