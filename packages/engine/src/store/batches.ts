import type { Database, Parameter, Row } from "./database.ts";

const BATCH = 500;

/** A table with its primary key and the columns to read. */
export interface PagedTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

/** All rows of a table in the order of its key, a batch at a time, so that memory stays flat. */
export async function* batchesOf(
  db: Database,
  { name, key, columns }: PagedTable,
): AsyncGenerator<Row[], undefined> {
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
  return undefined;
}
