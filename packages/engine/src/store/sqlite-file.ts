import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { APPLICATION_ID, MIGRATIONS } from "./schema.ts";
import { StoreError } from "./store-error.ts";

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** A file that may be opened as Knack's database. */
export interface DatabaseFile {
  /** Without links: SQLite keeps the log beside the real file. */
  readonly real: string;
  readonly release: () => void;
}

/**
 * The database files that this process has open. Closing *any* descriptor of a file ends the locks that the process has on
 * it, so the bytes of a database that is already open must not be looked at through another one. Threads do not share this:
 * a database belongs to the main thread.
 */
const open = new Map<string, number>();

/**
 * Makes the file where there is none, and refuses one that is not Knack's or is newer, before a byte of it is changed.
 * Must not wait anywhere: between the look and the opening no other opening may come.
 */
export function takeDatabaseFile(file: string): DatabaseFile {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) makeFile(file);
    else if (!stats.isFile())
      throw new StoreError("NOT_A_FILE", `${file}: the database must be a file, and this is something else.`);
    const real = realpathSync(file);
    const { dev, ino, size } = statSync(real);
    const identity = `${dev}:${ino}`;
    const count = open.get(identity) ?? 0;
    if (count === 0 && size > 0) refuseOthers(real);
    open.set(identity, count + 1);
    return { real, release: () => release(identity) };
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    const kind = code === "ENOSPC" ? "DISK_FULL" : code === "EROFS" ? "READONLY" : "IO";
    throw new StoreError(kind, `${file}: the database cannot be opened (${message}).`, { cause: error });
  }
}

function release(identity: string): void {
  const count = open.get(identity) ?? 0;
  if (count > 1) open.set(identity, count - 1);
  else open.delete(identity);
}

function makeFile(file: string): void {
  const folder = dirname(file);
  const firstMade = mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Another process may make it at the same moment: that is the same file.
  closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK, 0o600));
  sync(folder);
  if (firstMade) sync(dirname(firstMade));
}

/** A new name is durable once its folder is synced. */
function sync(folder: string): void {
  const descriptor = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function refuseOthers(file: string): void {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    readSync(descriptor, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  const ours =
    header.toString("latin1", 0, MAGIC.length) === MAGIC &&
    header.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID;
  if (!ours)
    throw new StoreError(
      "FOREIGN",
      `${file}: this file was not made by Knack and is left as it is. Name another one in store.url, or move it away.`,
    );
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  const version = log?.size ? peek(file, "PRAGMA user_version", "user_version") : null;
  refuseNewer(file, Math.max(header.readUInt32BE(USER_VERSION_AT), Number(version ?? 0)));
}

/** The version may be in the log only, not yet in the file: so this is asked again once it is open. */
export function refuseNewer(file: string, version: number): void {
  if (version <= MIGRATIONS.length) return;
  const since = peek(file, "SELECT since FROM schema_migrations ORDER BY version DESC LIMIT 1", "since");
  throw new StoreError(
    "NEWER",
    `${file}: a newer Knack has written this database (schema ${version}, this one knows ${MIGRATIONS.length}). ` +
      `Use Knack ${typeof since === "string" ? since : `with schema ${version}`} or newer.`,
  );
}

/** One value, read by a connection that cannot write. */
function peek(file: string, sql: string, column: string): unknown {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
    return connection.prepare(sql).get()?.[column];
  } catch {
    // Unreadable or shaped otherwise: opening it in earnest says what is wrong.
    return undefined;
  } finally {
    connection?.close();
  }
}
