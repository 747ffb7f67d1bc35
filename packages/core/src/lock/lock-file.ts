import { dirname } from "node:path";
import { withLock } from "../shared/lock.ts";
import { readOwnText, requireOwn } from "../shared/own-file.ts";
import { writeDurably, writeError } from "../shared/write-whole.ts";
import { acceptLocked } from "./accepted-locks.ts";
import type { LockPlace } from "./lock-place.ts";
import { lockText, type SkillLock } from "./skill-lock.ts";

/** Room for a hundred thousand files. */
const MAX_LOCK_BYTES = 16 * 1024 * 1024;

/** `undefined` where there is none. Throws `KnackError` with file and line. */
export async function readLock(place: LockPlace): Promise<SkillLock | undefined> {
  // Only a lock that exists loads the YAML library.
  const text = readText(place);
  if (text === undefined) return undefined;
  const before = known.get(place.file);
  if (before?.text === text) return before.lock;
  const { parseLock } = await import("./parse-lock.ts");
  const lock = parseLock(text, place);
  known.set(place.file, { text, lock });
  return lock;
}

/** Under `skills.locked` each call asks; a lock is parsed only when it has changed. */
const known = new Map<string, { readonly text: string; readonly lock: SkillLock }>();

/** No other process of this user changes the lock meanwhile. Without a change nothing is written; no lock is an empty one. */
export async function updateLock(
  place: LockPlace,
  change: (lock: SkillLock) => SkillLock,
): Promise<SkillLock> {
  const { parseLock } = await import("./parse-lock.ts");
  return withLock(place.userFolder, place.file, () => {
    const text = readText(place);
    const before: SkillLock = text === undefined ? new Map() : parseLock(text, place);
    const after = change(before);
    const isNone = text === undefined && after.size === 0;
    if (after !== before && !isNone && lockText(after) !== text) writeText(place, lockText(after));
    // What the user's own command has locked.
    const old = new Set(before.values());
    const own = [...after.values()].filter((locked) => !old.has(locked));
    return acceptLocked(place, after, own).then(() => after);
  });
}

/** No link below the lock's folder is followed. */
function readText({ file }: LockPlace): string | undefined {
  const next = 'Replace it with a regular file of yours, or remove it and run "knack lock".';
  return readOwnText(dirname(file), file, MAX_LOCK_BYTES, next);
}

/** A project's lock is committed, so others may read it. */
function writeText({ scope, file }: LockPlace, text: string): void {
  requireOwn(dirname(file), file);
  const failure = writeDurably(file, scope === "project" ? 0o644 : 0o600, text);
  if (failure) throw writeError(file, failure, scope === "user");
}
