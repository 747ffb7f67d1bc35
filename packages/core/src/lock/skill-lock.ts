import { compareText } from "../shared/fold.ts";
import { escaped } from "../shared/quote.ts";
import { pathFault } from "./digest-skill.ts";

export interface LockedSkill {
  /** From the lock's base, with slashes; in the user's lock absolute where it is outside the home folder. */
  readonly folder: string;
  /** Where it came from, as the user wrote it: a URL, `owner/repo`, `npm:name`, a path. */
  readonly source?: string | undefined;
  /** The branch or tag that was asked for. */
  readonly ref?: string | undefined;
  /** The commit of the ref then. */
  readonly commit?: string | undefined;
  /** The skill's folder in the source. */
  readonly path?: string | undefined;
  readonly sha256: string;
  readonly files: ReadonlyMap<string, string>;
}

/** The content of a `skills.lock`, by key. */
export type SkillLock = ReadonlyMap<string, LockedSkill>;

/** Where a skill is unless its entry says otherwise. */
export function defaultFolder(name: string): string {
  return `.agents/skills/${name}`;
}

export function lockedAt(lock: SkillLock, folder: string): LockedSkill | undefined {
  const known = byFolder.get(lock) ?? new Map([...lock.values()].map((locked) => [locked.folder, locked]));
  byFolder.set(lock, known);
  return known.get(folder);
}

/** Locks are never changed. */
const byFolder = new WeakMap<SkillLock, ReadonlyMap<string, LockedSkill>>();

/** Replaces the folder's entry. The key is the name; of two skills with one name, the one in the default folder has it. */
export function withLocked(lock: SkillLock, name: string, locked: LockedSkill): SkillLock {
  return withAllLocked(lock, [[name, locked]]);
}

export function withAllLocked(
  lock: SkillLock,
  skills: Iterable<readonly [name: string, LockedSkill]>,
): SkillLock {
  const next = new Map(lock);
  const keys = new Map([...lock].map(([key, { folder }]) => [folder, key]));
  const set = (key: string, locked: LockedSkill): void => {
    next.set(key, locked);
    keys.set(locked.folder, key);
  };
  for (const [name, locked] of skills) {
    next.delete(keys.get(locked.folder) ?? "");
    const holder = next.get(name);
    const isDefault = locked.folder === defaultFolder(name);
    if (holder && isDefault) set(folderKey(holder), holder);
    const isFree = holder === undefined || isDefault;
    const isKey = isFree && name.length <= MAX_NAME && keyFault(name) === undefined;
    set(isKey ? name : folderKey(locked), locked);
  }
  return next;
}

export function withoutLocked(lock: SkillLock, ...folders: readonly string[]): SkillLock {
  const gone = new Set(folders);
  return new Map([...lock].filter(([, { folder }]) => !gone.has(folder)));
}

/** With a slash in it, which no name has. */
function folderKey({ folder }: LockedSkill): string {
  return folder.includes("/") ? folder : `./${folder}`;
}

const MAX_NAME = 128;

/** Why a name cannot be a key. */
export function keyFault(name: string): string | undefined {
  return name.includes("/") ? "contains a slash" : pathFault(name);
}

/** Sorted, without times, one line a file: to be read in a diff. */
export function lockText(lock: SkillLock): string {
  const skills = sorted(lock, ({ folder, source, ref, commit, path, sha256, files }, key) => ({
    commit,
    files: sorted(files, (digest) => digest),
    folder: folder === defaultFolder(key) ? undefined : folder,
    path,
    ref,
    sha256,
    source,
  }));
  return `${JSON.stringify({ version: 1, skills }, null, 2).replaceAll(UNSEEN, escaped)}\n`;
}

function sorted<T>(map: ReadonlyMap<string, T>, write: (value: T, key: string) => unknown): object {
  const entries = [...map].sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, value]) => [key, write(value, key)]));
}

/** Everything else is written out, so that a diff hides nothing. */
const UNSEEN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} \n]|[\u034f\u115f\u1160\u3164\ufe00-\ufe0f\uffa0]/gu;
