/** One value of a row. Knack never writes a number above 2^53; the store reports `CORRUPT` for it. */
type Value = string | number | bigint | null | Uint8Array;
export type Row = Readonly<Record<string, Value>>;
export type Parameter = string | number | null | Uint8Array;

export interface TransactionOptions {
  /** `false`: no sync, for what is worthless after a power cut anyway, such as a claim. Default `true`. */
  readonly durable?: boolean;
  /** Excludes only transactions with this key (PostgreSQL). It uses only rows of its key, and no record of the log. */
  readonly key?: string;
  /** With `key`: excludes all other transactions, and those of the key too. */
  readonly exclusive?: boolean;
}

/** A database for the SQL that SQLite and PostgreSQL share, with `?` for parameters. Each passes `contract.ts`. */
export interface Database {
  /** Reads; writes go through `run`, which waits for the disk. */
  all(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>;
  get(sql: string, parameters?: readonly Parameter[]): Promise<Row | undefined>;
  run(sql: string, parameters?: readonly Parameter[]): Promise<{ readonly changes: number }>;
  /**
   * Commits what `work` did, or nothing if it throws, serializable across processes; may call `work` again. `work` must use
   * only `tx`: other calls wait for its end, and a nested transaction is refused.
   */
  transaction<T>(work: (tx: Database) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Resolves when everything that was committed survives a power cut. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export async function rowsOf<T>(db: Database, sql: string, parameters?: readonly Parameter[]): Promise<T[]> {
  return (await db.all(sql, parameters)) as readonly unknown[] as T[];
}

/** Adds a row: its properties are columns. `end` may resolve a conflict; with `RETURNING` the answer is what was added. */
export function insertRow(
  tx: Database,
  table: string,
  row: Readonly<Record<string, Parameter>>,
  end = "",
): Promise<Row | undefined> {
  const columns = Object.keys(row);
  const places = columns.map(() => "?").join(", ");
  return tx.get(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places}) ${end}`, Object.values(row));
}

/** Changes these columns of the row with this key; with `RETURNING` at the end the answer is the row as it is then. */
export function updateRow(
  tx: Database,
  table: string,
  key: Readonly<Record<string, Parameter>>,
  changes: Readonly<Record<string, Parameter>>,
  end = "",
): Promise<Row | undefined> {
  const set = Object.keys(changes).map((column) => `${column} = ?`);
  const where = Object.keys(key).map((column) => `${column} = ?`);
  return tx.get(`UPDATE ${table} SET ${set.join(", ")} WHERE ${where.join(" AND ")} ${end}`, [
    ...Object.values(changes),
    ...Object.values(key),
  ]);
}

/** A condition with its values; one whose value is `undefined` was not asked for. */
type Condition = readonly [sql: string, ...values: (Parameter | undefined)[]];

export function whereOf(conditions: readonly Condition[]): {
  readonly where: string;
  readonly values: readonly Parameter[];
} {
  const asked = conditions.filter(([, ...values]) => !values.includes(undefined));
  const sql = asked.map(([text]) => text).join(" AND ");
  return { where: sql && `WHERE ${sql}`, values: asked.flatMap(([, ...values]) => values as Parameter[]) };
}

/** Stands for a database that does not exist yet: it is empty, and reading does not create it. */
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

const BATCH = 500;

export interface PagedTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

/** All rows of a table in the order of its key, a batch at a time, so that memory stays flat. */
export async function* batchesOf(db: Database, { name, key, columns }: PagedTable): AsyncGenerator<Row[]> {
  const names = key.join(", ");
  let last: Row | undefined;
  do {
    const after = last ? `WHERE (${names}) > (${key.map(() => "?").join(", ")})` : "";
    const rows: Row[] = await db.all(
      `SELECT ${columns.join(", ")} FROM ${name} ${after} ORDER BY ${names} LIMIT ${BATCH}`,
      last ? key.map((column) => last?.[column] as Parameter) : [],
    );
    if (rows.length > 0) yield rows;
    last = rows.length === BATCH ? rows.at(-1) : undefined;
  } while (last);
}
