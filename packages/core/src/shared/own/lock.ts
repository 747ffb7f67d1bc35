import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SkillError, systemCode } from "../errors.ts";
import { kindOf, readRegularFile } from "../regular-file.ts";
import { makeOwnFolder, removeQuietly } from "../write-whole.ts";
import { type Holder, lifeOf, ownHolder, readHolder } from "./holder.ts";
import { writeError } from "./write-failure.ts";

/** A change under a lock takes milliseconds. After this long, an error names what is in the way. */
const LIMIT_MS = 10_000;
/** A lock without a readable holder is one that is being written just now, or none of ours. */
const UNREADABLE_MS = 1_000;
const TELL_AFTER_MS = 1_000;
const PAUSE_MS = 10;
const MAX_BYTES = 4096;

/**
 * Runs a change of a file while no other process changes it, so that concurrent changes are not lost. The lock is a file
 * beside it that names its holder. Only whether the holder is alive counts, not the age of the lock; a file that is not a
 * Knack lock is an error that names it, and nothing waits for ever or silently.
 */
export async function withLock<T>(file: string, change: () => T): Promise<T> {
  const taking = new Taking(file);
  while (!taking.tryAcquire()) await wait(PAUSE_MS);
  return taking.during(change);
}

/** The same for a change that waits for something itself. */
export async function withLockHeld<T>(file: string, change: () => Promise<T>): Promise<T> {
  const taking = new Taking(file);
  while (!taking.tryAcquire()) await wait(PAUSE_MS);
  try {
    return await change();
  } finally {
    taking.release();
  }
}

/** The same for commands that do nothing else: it blocks the process, for ten seconds at most. Nothing that a server runs. */
export function withLockBlocking<T>(file: string, change: () => T): T {
  const taking = new Taking(file);
  while (!taking.tryAcquire()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  return taking.during(change);
}

class Taking {
  readonly #lock: string;
  readonly #since = performance.now();
  #isTold = false;

  constructor(file: string) {
    this.#lock = `${file}.lock`;
    try {
      makeOwnFolder(dirname(file));
    } catch (error) {
      throw writeError(dirname(file), systemCode(error), true);
    }
  }

  tryAcquire(): boolean {
    if (take(this.#lock)) return true;
    const inTheWay = lookAt(this.#lock);
    if (inTheWay === undefined) return false;
    const waited = performance.now() - this.#since;
    if (typeof inTheWay === "string" && (inTheWay !== UNREADABLE || waited > UNREADABLE_MS))
      throw new SkillError("CONFLICT", `${this.#lock} ${inTheWay}. Remove it, then try again.`);
    if (typeof inTheWay === "object") {
      if (waited > LIMIT_MS) throw new SkillError("CONFLICT", heldText(this.#lock, inTheWay.holder));
      if (lifeOf(inTheWay.holder) === "dead") removeLeftBehind(this.#lock, inTheWay.ino);
    }
    this.#tell(waited);
    return false;
  }

  during<T>(change: () => T): T {
    try {
      return change();
    } finally {
      this.release();
    }
  }

  release(): void {
    unlinkIfThere(this.#lock);
  }

  #tell(waited: number): void {
    if (this.#isTold || waited < TELL_AFTER_MS) return;
    this.#isTold = true;
    process.stderr.write(`note: Waiting for ${this.#lock} …\n`);
  }
}

/** With its holder in it from the first moment; where the file system knows no second names, a moment later. */
function take(lock: string): boolean {
  const temporary = `${lock}.${randomUUID()}`;
  try {
    writeNew(temporary);
    try {
      linkSync(temporary, lock);
      return true;
    } catch (error) {
      const code = systemCode(error);
      if (code === "EEXIST") return false;
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
      writeNew(lock);
      return true;
    } finally {
      removeQuietly(temporary);
    }
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    removeQuietly(temporary);
    throw writeError(lock, systemCode(error), true);
  }
}

function writeNew(file: string): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(file, flags, 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify(ownHolder())}\n`);
  } finally {
    closeSync(descriptor);
  }
}

const UNREADABLE = "does not name its holder, so it is not a Knack lock";

/** Who holds it; what is wrong with it; or nothing, where it is gone meanwhile. */
function lookAt(lock: string): { readonly holder: Holder; readonly ino: number } | string | undefined {
  const stats = lstatSync(lock, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isFile()) return `is ${kindOf(stats)}, not a Knack lock`;
  const content = readRegularFile(lock, MAX_BYTES, false);
  if ("fault" in content) {
    if (content.detail === "ENOENT") return undefined;
    return content.fault === "UNREADABLE" ? `cannot be read (${content.detail})` : UNREADABLE;
  }
  const holder = readHolder(content.bytes.toString("utf8"));
  return holder ? { holder, ino: content.stats.ino } : UNREADABLE;
}

/** Only who holds the second lock may remove the first, and only the one that was looked at: another may be new. */
function removeLeftBehind(lock: string, ino: number): void {
  const breaking = `${lock}.breaking`;
  try {
    mkdirSync(breaking);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return;
    throw writeError(breaking, systemCode(error), true);
  }
  try {
    const now = lookAt(lock);
    if (typeof now === "object" && now.ino === ino && lifeOf(now.holder) === "dead") unlinkIfThere(lock);
  } finally {
    rmdirSync(breaking);
  }
}

function heldText(lock: string, { pid, host }: Holder): string {
  const self = ownHolder();
  const who = host === self.host ? `process ${pid}` : `process ${pid} on the machine ${host.slice(0, 100)}`;
  return `${lock} is held by ${who}. Stop that process or wait for it. If it no longer runs, remove the file, and ${lock}.breaking if it exists. Then try again.`;
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}
