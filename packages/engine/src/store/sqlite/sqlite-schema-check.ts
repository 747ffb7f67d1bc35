import { DatabaseSync } from "node:sqlite";
import type { Migration } from "../schema.ts";
import { StoreError } from "../store-error.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

const OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";

/**
 * Compares a database's tables and indexes with those that the migrations make, text by text, before any statement touches
 * its data: a foreign trigger or view would run with every statement.
 */
export function refuseOtherSchema(
  connection: SqliteConnection,
  file: string,
  version: number,
  migrations: readonly Migration[],
): void {
  const expected = new Map(schemaAt(migrations, version).map((object) => [object.name, object]));
  for (const { type, name, tbl_name, sql } of connection.all(OBJECTS)) {
    const known = expected.get(String(name));
    const isSame = known && known.type === type && known.tbl_name === tbl_name && known.sql === sql;
    if (!isSame) throw otherSchema(file, `the ${type} ${quoted(name)} is not part of Knack's schema`);
    expected.delete(known.name);
  }
  const [missing] = expected.values();
  if (missing) throw otherSchema(file, `the ${missing.type} ${missing.name} is missing`);
}

function otherSchema(file: string, what: string): StoreError {
  return new StoreError(
    "SCHEMA",
    `${file}: the schema of this database is not Knack's (${what}), so it is not used. Restore it from a backup, or move it away to start with an empty one.`,
  );
}

function quoted(name: unknown): string {
  return JSON.stringify(String(name).slice(0, 100));
}

const known = new WeakMap<readonly Migration[], Map<number, readonly SchemaObject[]>>();

/** The schema after the first `version` migrations, read from an empty database. */
function schemaAt(migrations: readonly Migration[], version: number): readonly SchemaObject[] {
  const versions = known.get(migrations) ?? new Map<number, readonly SchemaObject[]>();
  known.set(migrations, versions);
  let objects = versions.get(version);
  if (!objects) {
    using empty = new DatabaseSync(":memory:");
    for (const { statements } of migrations.slice(0, version))
      for (const statement of statements) empty.exec(statement);
    objects = empty.prepare(OBJECTS).all() as unknown as SchemaObject[];
    versions.set(version, objects);
  }
  return objects;
}
