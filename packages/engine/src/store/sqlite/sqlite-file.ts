import { closeSync, constants, openSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { lookAtOwn, makeOwnFolder, realBase, syncFolder } from "@knack/core/files";
import { isStoreError, KnackError } from "@knack/core/text";
import { APPLICATION_ID, SCHEMA_VERSION, SQLITE_SCHEMA } from "../schema.ts";
import { foreign, retryBusy, type SqliteConnection } from "./sqlite-connection.ts";

const SMALLEST_PAGE = 512;
/** Earlier versions of SQLite could lose a log when two processes reset it at once. */
const OLDEST_SQLITE = "3.51.3";

/** The real path of the file, which is created if it is missing. Only regular files of this user, without a link on the way. */
export function databaseFile(path: string): string {
  const base = realBase(dirname(path));
  const file = join(base, basename(path));
  try {
    if (!lookAt(base, file)) makeFile(file);
    // SQLite opens these by name, and follows links.
    for (const end of ["-wal", "-shm", "-journal"]) lookAt(base, `${file}${end}`);
    const { size = 0 } = lookAt(base, file) ?? {};
    // SQLite would take it for empty.
    if (size > 0 && size < SMALLEST_PAGE) throw foreign(file);
    return file;
  } catch (error) {
    if (isStoreError(error)) throw error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    const kind = code === "ENOSPC" ? "DISK_FULL" : code === "EROFS" || code === "EACCES" ? "READONLY" : "IO";
    throw new KnackError(kind, `${file}: the database cannot be opened (${message}).`, { cause: error });
  }
}

function lookAt(base: string, path: string): Stats | undefined {
  const found = lookAtOwn(base, path, { isWrittenInPlace: true });
  if (found.kind === "refused")
    throw new KnackError(
      "NOT_A_FILE",
      `${found.path} cannot be used as the database: ${found.reason}. Move it away.`,
    );
  return found.kind === "file" ? found.stats : undefined;
}

function makeFile(file: string): void {
  const folder = dirname(file);
  const firstMade = makeOwnFolder(folder);
  // If another process creates it at the same moment, it is the same file.
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0);
  closeSync(openSync(file, flags, 0o600));
  syncFolder(folder);
  if (firstMade) syncFolder(dirname(firstMade));
}

function refuseVersion(file: string, version: number): void {
  if (version === SCHEMA_VERSION) return;
  if (version > SCHEMA_VERSION)
    throw new KnackError(
      "NEWER",
      `${file}: a newer Knack wrote this database (schema ${version}; this version supports ${SCHEMA_VERSION}). Update Knack.`,
    );
  throw new KnackError(
    "SCHEMA",
    `${file}: the schema of this database (${version}) is not one that Knack released. Move it away to start with an empty one.`,
  );
}

export function refuseOldSqlite(version: string): void {
  const order = version.localeCompare(OLDEST_SQLITE, "en", { numeric: true });
  if (order < 0)
    throw new KnackError(
      "SQLITE_OLD",
      `SQLite ${version} can lose committed data; ${OLDEST_SQLITE} or newer is required. Use Node 24.15 or newer.`,
    );
}

/** Creates the tables in an empty database, in one transaction: one of several processes does it while the others wait. */
export async function ensureSchema(
  connection: SqliteConnection,
  file: string,
  busyTimeoutMs: number,
): Promise<void> {
  // Any step may find the file locked: another process may be creating it, and SQLite's timeout does not cover a change of
  // journal mode.
  await retryBusy(busyTimeoutMs, () => {
    refuseOldSqlite(String(connection.execute("SELECT sqlite_version() AS version").rows[0]?.version));
    connection.exec("PRAGMA trusted_schema = OFF");
    connection.exec("PRAGMA cell_size_check = ON");
    connection.setDurable(true);
    if (isEmpty(connection, file)) create(connection, file);
    // After the schema, so that a file that is not empty always has our mark, even before its log is merged.
    connection.exec("PRAGMA journal_mode = WAL");
  });
}

function create(connection: SqliteConnection, file: string): void {
  connection.exec("BEGIN IMMEDIATE");
  try {
    if (isEmpty(connection, file)) {
      for (const statement of SQLITE_SCHEMA) connection.exec(statement);
      connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    }
    connection.exec("COMMIT");
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

/** Whether it has no tables yet. Reads by SQLite, which also looks into the log; refuses what Knack did not make. */
function isEmpty(connection: SqliteConnection, file: string): boolean {
  // The tables first: another process may create both between the looks, and then the mark is there too.
  const { rows } = connection.execute("SELECT 1 AS found FROM sqlite_schema LIMIT 1");
  const numberOf = (name: string): number => Number(connection.execute(`PRAGMA ${name}`).rows[0]?.[name]);
  const mark = numberOf("application_id");
  const version = numberOf("user_version");
  if (mark === 0 && version === 0 && rows.length === 0) return true;
  if (mark !== APPLICATION_ID) throw foreign(file);
  refuseVersion(file, version);
  return false;
}
