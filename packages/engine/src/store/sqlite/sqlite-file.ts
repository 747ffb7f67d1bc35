import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { lookAtOwn, realBase, syncFolder } from "@knack/core/internal/engine";
import { APPLICATION_ID, MIGRATIONS } from "../schema.ts";
import { StoreError } from "../store-error.ts";

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** A file that may be opened as Knack's database. */
export interface DatabaseFile {
  /** Real path: SQLite keeps the log beside the real file. */
  readonly real: string;
  readonly release: () => void;
  /** Throws if the file was replaced since it was checked. */
  readonly checkAgain: () => void;
}

export interface FileRules {
  /** Links below this folder are not followed; the file's own folder by default. */
  readonly base?: string;
  /** Nobody else may read or write it. */
  readonly isPrivate?: boolean;
}

/** SQLite opens these by name, and follows links. */
const COMPANIONS = ["-wal", "-shm", "-journal"];

/**
 * The database files that this process has open. Closing *any* descriptor of a file drops the locks that the process has on
 * it, so an open database must not be read through another descriptor. Threads do not share this: a database belongs to the
 * main thread.
 */
const open = new Map<string, number>();

/**
 * Creates the file if there is none, and refuses a file that is not Knack's or is newer, before it is changed. Synchronous:
 * no other open may happen between the check and the open.
 */
export function takeDatabaseFile(path: string, rules: FileRules = {}): DatabaseFile {
  const { base = realBase(dirname(path)), isPrivate = false } = rules;
  const file = rules.base === undefined ? join(base, basename(path)) : path;
  try {
    const look = (end = ""): Stats | undefined => lookAt(base, `${file}${end}`, isPrivate);
    if (!look()) makeFile(file);
    const identityNow = (): string => {
      const stats = look();
      return `${stats?.dev}:${stats?.ino}`;
    };
    for (const end of COMPANIONS) look(end);
    refuseSuperJournal(`${file}-journal`);
    const real = realpathSync(file);
    const { size } = statSync(real);
    const identity = identityNow();
    const count = open.get(identity) ?? 0;
    if (count === 0 && size > 0) refuseOthers(real);
    open.set(identity, count + 1);
    const checkAgain = (): void => {
      if (identityNow() !== identity)
        throw new StoreError(
          "NOT_A_FILE",
          `${file}: the file was replaced while it was being opened; try again.`,
        );
      for (const end of COMPANIONS) look(end);
    };
    return { real, release: () => release(identity), checkAgain };
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    const kind = code === "ENOSPC" ? "DISK_FULL" : code === "EROFS" ? "READONLY" : "IO";
    throw new StoreError(kind, `${file}: the database cannot be opened (${message}).`, { cause: error });
  }
}

function lookAt(base: string, path: string, isPrivate: boolean): Stats | undefined {
  const found = lookAtOwn(base, path, { isWrittenInPlace: true, isPrivate });
  if (found.kind === "refused")
    throw new StoreError(
      "NOT_A_FILE",
      `${found.path} cannot be used as the database: ${found.reason}. Move it away.`,
    );
  return found.kind === "file" ? found.stats : undefined;
}

/** The end of a journal that names a super-journal; SQLite would delete the file of that name. */
const SUPER_JOURNAL = Buffer.from("d9d505f920a163d7", "hex");

/** Knack never changes two databases at once, so it did not write a journal that names another one. */
function refuseSuperJournal(journal: string): void {
  const size = lstatSync(journal, { throwIfNoEntry: false })?.size ?? 0;
  if (size < SUPER_JOURNAL.length) return;
  const end = Buffer.alloc(SUPER_JOURNAL.length);
  const descriptor = openSync(
    journal,
    constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0),
  );
  try {
    readSync(descriptor, end, 0, end.length, size - end.length);
  } finally {
    closeSync(descriptor);
  }
  if (end.equals(SUPER_JOURNAL))
    throw new StoreError(
      "NOT_A_FILE",
      `${journal} was not written by Knack: it names other files. Move it away.`,
    );
}

function release(identity: string): void {
  const count = open.get(identity) ?? 0;
  if (count > 1) open.set(identity, count - 1);
  else open.delete(identity);
}

function makeFile(file: string): void {
  const folder = dirname(file);
  const firstMade = mkdirSync(folder, { recursive: true, mode: 0o700 });
  // If another process creates it at the same moment, it is the same file.
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0);
  closeSync(openSync(file, flags, 0o600));
  syncFolder(folder);
  if (firstMade) syncFolder(dirname(firstMade));
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
      `${file}: Knack did not create this file and does not change it. Set store.url to another file, or move this one away.`,
    );
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  const version = log?.size ? peek(file, "PRAGMA user_version", "user_version") : null;
  refuseNewer(file, Math.max(header.readUInt32BE(USER_VERSION_AT), Number(version ?? 0)), MIGRATIONS.length);
}

/** The version may be only in the log, not yet in the file, so this is checked again once it is open. */
export function refuseNewer(file: string, version: number, newest: number): void {
  if (version <= newest && version >= 0) return;
  const since = peek(file, SINCE, "since");
  throw new StoreError(
    "NEWER",
    `${file}: a newer Knack wrote this database (schema ${version}; this version supports ${newest}). ` +
      `Update Knack${typeof since === "string" ? ` to ${since} or newer` : ""}.`,
  );
}

const SINCE = "SELECT since FROM schema_migrations ORDER BY version DESC LIMIT 1";
const IS_TABLE =
  "SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations' AND type = 'table' AND sql = ?";

/** Reads one value through a read-only connection; never from a view, which could run for ever. */
function peek(file: string, sql: string, column: string): unknown {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(file, { readOnly: true, timeout: 1000, defensive: true });
    const [table = ""] = MIGRATIONS[0]?.statements ?? [];
    if (sql === SINCE && !connection.prepare(IS_TABLE).get(table)) return undefined;
    return connection.prepare(sql).get()?.[column];
  } catch {
    // Unreadable, or another schema: opening the database reports the fault.
    return undefined;
  } finally {
    connection?.close();
  }
}
