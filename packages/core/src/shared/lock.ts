import { hash } from "node:crypto";
import { accessSync, constants, existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { KnackError, systemCode } from "./errors.ts";
import { kindOf } from "./regular-file.ts";
import { makeOwnFolder, writeError } from "./write-whole.ts";

/** A change under a lock takes milliseconds. After this long, an error names the lock that is in the way. */
const LIMIT_MS = 10_000;
const NOTE_AFTER_MS = 1_000;
const PAUSE_MS = 10;
const SQLITE_BUSY = 5;

/**
 * Changes a file while no other process does. The lock is SQLite's, on an empty file in the user's folder, where no project
 * can write; the system frees it however a process ends.
 */
export async function withLock<T>(
  userFolder: string,
  file: string,
  change: () => T | Promise<T>,
  limitMs = LIMIT_MS,
): Promise<T> {
  const lock = lockFile(userFolder, file);
  const since = performance.now();
  let isNoted = false;
  let held = take(userFolder, lock);
  while (!held) {
    const waited = performance.now() - since;
    if (waited > limitMs)
      throw new KnackError(
        "CONFLICT",
        `Another process of Knack is changing ${file} and does not finish (its lock is ${lock}). Stop that process or wait for it, then try again.`,
      );
    if (!isNoted && waited > NOTE_AFTER_MS) process.stderr.write(`note: Waiting to change ${file} …\n`);
    isNoted = waited > NOTE_AFTER_MS;
    await wait(PAUSE_MS);
    held = take(userFolder, lock);
  }
  try {
    return await change();
  } finally {
    held.close();
  }
}

export function lockFile(userFolder: string, file: string): string {
  return join(userFolder, "locks", hash("sha256", file).slice(0, 32));
}

function take(userFolder: string, lock: string): DatabaseSync | undefined {
  // Loaded here: most commands take no lock, and the process of a built-in skill has no SQLite.
  const sqlite = process.getBuiltinModule("node:sqlite");
  try {
    makeOwnFolder(join(userFolder, "locks"));
  } catch (error) {
    throw writeError(userFolder, systemCode(error), true);
  }
  const stats = lstatSync(lock, { throwIfNoEntry: false });
  if (stats && !stats.isFile()) throw notALock(lock, `is ${kindOf(stats)}`);
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(lock, { timeout: 0 });
    database.exec("BEGIN IMMEDIATE");
    return database;
  } catch (error) {
    database?.close();
    if (!(error instanceof Error) || !("errcode" in error)) throw error;
    if (error.errcode === SQLITE_BUSY) return undefined;
    requireWritable(existsSync(lock) ? lock : join(userFolder, "locks"));
    throw notALock(lock, `cannot be locked (${error.message})`);
  }
}

/** The system says better than SQLite why a file cannot be written. */
function requireWritable(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw writeError(path, systemCode(error), true);
  }
}

function notALock(lock: string, why: string): KnackError {
  return new KnackError("CONFLICT", `${lock} ${why}, so it is not a Knack lock. Remove it, then try again.`);
}
