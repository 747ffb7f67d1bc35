import { randomUUID } from "node:crypto";
import { chmodSync, linkSync, lstatSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  addGitignore,
  type KnownStore,
  lookAtOwn,
  makeOwnFolder,
  refusalText,
  rememberStore,
  removeQuietly,
  type StatePlace,
  syncFolder,
  systemCode,
  type TrustPlace,
  writeDurably,
  writeFailure,
} from "@knack/core/internal/engine";
import { MIGRATIONS } from "../schema.ts";
import { SqliteConnection } from "../sqlite/sqlite-connection.ts";
import { applyMigrations } from "../sqlite/sqlite-migrate.ts";
import { StoreError } from "../store-error.ts";

export const fileOf = ({ url }: StatePlace): string => url.replace(/^sqlite:/, "");

/**
 * Creates the database of a project. It gets its final name only when it is complete and recorded as the user's, so no other
 * process ever finds an unknown one there.
 */
export async function makeStore(place: StatePlace, user: TrustPlace): Promise<void> {
  const file = fileOf(place);
  try {
    prepareFolder(place);
    if (!place.isToRemember) {
      nameProject(place, file);
      return;
    }
    await rememberStore(user, () => {
      if (lookAtOwn(place.base, file).kind !== "absent") return undefined;
      const made = `${file}.new-${randomUUID()}`;
      try {
        const id = makeDatabase(made);
        return { ...settle(made, file), id };
      } finally {
        for (const end of ["", "-journal", "-wal", "-shm"]) removeQuietly(`${made}${end}`);
      }
    });
  } catch (error) {
    if (error instanceof StoreError || !isSystemError(error)) throw error;
    throw cannotWrite(file, systemCode(error), !place.isToRemember);
  }
}

function cannotWrite(file: string, code: string, isInUserFolder: boolean): StoreError {
  const kind = code === "ENOSPC" ? "DISK_FULL" : code === "EROFS" || code === "EACCES" ? "READONLY" : "IO";
  return new StoreError(kind, writeFailure(file, code, isInUserFolder));
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^E[A-Z]+$/.test(String(error.code));
}

/** The folders in the user's home, and `.knack`, are private to the user. Links on the way are not followed. */
export function prepareFolder(place: StatePlace): void {
  const { base } = place;
  const file = fileOf(place);
  const folder = dirname(file);
  const found = lookAtOwn(base, file);
  if (found.kind === "refused") throw new StoreError("NOT_A_FILE", refusalText(found));
  const first = makeOwnFolder(folder);
  if (first !== undefined) syncFolder(dirname(first));
  // In another folder, that the user's configuration names, the user decides what is committed.
  if (place.isToRemember && basename(folder) === ".knack") addGitignore(base, folder);
}

/** In the user's folder, a file beside the database names the project that it belongs to. */
function nameProject({ project }: StatePlace, file: string): void {
  if (project === undefined) return;
  const name = join(dirname(file), "project.json");
  if (lstatSync(name, { throwIfNoEntry: false })) return;
  const failure = writeDurably(name, 0o600, `${JSON.stringify({ version: 1, path: project }, null, 2)}\n`);
  if (failure) throw cannotWrite(name, failure, true);
}

/** Creates a database with Knack's schema; returns the id of the store. */
function makeDatabase(file: string): string {
  const connection = new SqliteConnection(file);
  try {
    connection.setDurable(true);
    applyMigrations(connection, file, MIGRATIONS);
    connection.exec("PRAGMA journal_mode = WAL");
    return String(connection.get("SELECT store_id FROM store_identity")?.store_id);
  } finally {
    connection.close();
  }
}

/** Moves a finished database to its final name; never overwrites another file. */
export function settle(made: string, file: string): Omit<KnownStore, "id"> {
  chmodSync(made, 0o600);
  const isPrivate = (lstatSync(made).mode & 0o077) === 0;
  try {
    linkSync(made, file);
  } catch (error) {
    const code = systemCode(error);
    // For file systems without hard links; the lock keeps other creators away.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
    if (lstatSync(file, { throwIfNoEntry: false }))
      throw new StoreError("FOREIGN", `${file} exists already; move it away.`);
    renameSync(made, file);
  }
  removeQuietly(made);
  syncFolder(dirname(file));
  return { path: file, isPrivate };
}
