import { APPLICATION_ID, MIGRATIONS, type Migration } from "../schema.ts";
import { StoreError } from "../store-error.ts";
import { retryBusy } from "./retry-busy.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { refuseNewer } from "./sqlite-file.ts";
import { refuseOtherSchema } from "./sqlite-schema-check.ts";

/** Earlier versions of SQLite could lose a log when two processes reset it at once. */
const OLDEST_SQLITE = "3.51.3";

export function refuseOldSqlite(version: string): void {
  const order = version.localeCompare(OLDEST_SQLITE, "en", { numeric: true });
  if (order < 0)
    throw new StoreError(
      "SQLITE_OLD",
      `SQLite ${version} can lose committed data; ${OLDEST_SQLITE} or newer is required. Use Node 24.15 or newer.`,
    );
}

/**
 * Migrates an opened database to this schema in one transaction, so a crash leaves the previous version, and only one of
 * several processes migrates while the others wait.
 */
export async function migrate(
  connection: SqliteConnection,
  file: string,
  busyTimeoutMs: number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  // Any step may find the file locked: another process may be creating it, and SQLite's timeout does not cover a change of
  // journal mode.
  await retryBusy(busyTimeoutMs, () => {
    refuseOldSqlite(String(connection.get("SELECT sqlite_version() AS version")?.version));
    connection.exec("PRAGMA trusted_schema = OFF");
    connection.exec("PRAGMA cell_size_check = ON");
    connection.setDurable(true);
    const version = checkedVersion(connection, file, migrations);
    if (version !== migrations.length) applyMigrations(connection, file, migrations);
    // After the first schema, so that a file that is not empty always has our mark, even before its log is merged.
    connection.exec("PRAGMA journal_mode = WAL");
  });
}

/** Version and schema in one transaction: another process may migrate between two reads. */
function checkedVersion(
  connection: SqliteConnection,
  file: string,
  migrations: readonly Migration[],
): number {
  connection.exec("BEGIN");
  try {
    const version = versionOf(connection);
    refuseNewer(file, version, migrations.length);
    refuseOtherSchema(connection, file, version, migrations);
    return version;
  } finally {
    connection.rollback();
  }
}

export function applyMigrations(
  connection: SqliteConnection,
  file: string,
  migrations: readonly Migration[],
): void {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const from = versionOf(connection);
    // Another process may have migrated first.
    refuseNewer(file, from, migrations.length);
    refuseOtherSchema(connection, file, from, migrations);
    for (const [index, migration] of migrations.entries()) {
      if (index < from) continue;
      for (const statement of migration.statements) connection.exec(statement);
      connection.run("INSERT INTO schema_migrations (version, since) VALUES (?, ?)", [
        index + 1,
        migration.since,
      ]);
    }
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    connection.exec(`PRAGMA user_version = ${migrations.length}`);
    connection.exec("COMMIT");
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

function versionOf(connection: SqliteConnection): number {
  return Number(connection.get("PRAGMA user_version")?.user_version);
}
