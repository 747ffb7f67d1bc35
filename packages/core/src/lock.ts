import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "./errors.ts";

/** Longer than any change under a lock takes: what is older was left behind by a process that died. */
const ABANDONED_MS = 5_000;

/**
 * Runs a change of a file while no other process changes it, so that none of two changes at once is lost. The lock is a
 * folder beside the file: making one is a single step on every file system.
 */
export function withLock<T>(file: string, change: () => T): T {
  const lock = `${file}.lock`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  while (!isTaken(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  try {
    return change();
  } finally {
    release(lock);
  }
}

function isTaken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    const stats = statSync(lock, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > ABANDONED_MS) release(lock);
    return false;
  }
}

function release(lock: string): void {
  try {
    rmdirSync(lock);
  } catch (error) {
    // Somebody else found it abandoned and was first.
    if (systemCode(error) !== "ENOENT") throw error;
  }
}
