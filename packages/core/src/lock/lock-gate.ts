import { lstatSync } from "node:fs";
import { relative, sep } from "node:path";
import { KnackError } from "../shared/errors.ts";
import { canonical } from "../shared/paths.ts";
import { shorten } from "../shared/quote.ts";
import { acceptedIn } from "./accepted-locks.ts";
import { compareDigest, digestSkill, type FileChange } from "./digest-skill.ts";
import { readLock } from "./lock-file.ts";
import { folderOf, type LockPlace, type LockPlaces, lockOf, realFolder } from "./lock-place.ts";
import { type NpxLocked, npxDigest } from "./npx-lock.ts";
import { type LockedSkill, lockedAt, type SkillLock } from "./skill-lock.ts";

interface SkillOnDisk {
  readonly scope: string;
  readonly dir: string;
}

/** The locks at one moment: a skill's entry, or why there is none. */
type LockView = (skill: SkillOnDisk) => LockedSkill | string;

/** Locks and files as they are at each question. */
export class LockGate {
  readonly #placesNow: () => LockPlaces;

  /** A function, because most skills need not be locked. */
  constructor(placesNow: () => LockPlaces) {
    this.#placesNow = placesNow;
  }

  /** Why a skill cannot be used: a changed file, or no lock. */
  async faultOf(skill: SkillOnDisk): Promise<string | undefined> {
    const locked = (await this.view())(skill);
    if (typeof locked === "string") return locked;
    return faultIn(compareDigest(locked, await digestSkill(skill.dir)));
  }

  /** For one file; `sha256` is absent where only a part was read. */
  async fileFaultOf(
    skill: SkillOnDisk,
    file: string,
    sha256: string | undefined,
  ): Promise<string | undefined> {
    const locked = (await this.view())(skill);
    if (typeof locked === "string") return locked;
    const path = relative(skill.dir, file).split(sep).join("/");
    const expected = locked.files.get(path);
    if (expected === undefined) return `${shorten(path)} is not in skills.lock`;
    return sha256 === undefined || sha256 === expected ? undefined : `${shorten(path)} has changed`;
  }

  async view(): Promise<LockView> {
    const places = this.#placesNow();
    const { project, user } = places;
    const locks = new Map([
      [project, await readOrFault(project)],
      [user, await readOrFault(user)],
    ]);
    const isAccepted = acceptedIn(project);
    return (skill) => {
      const place = lockOf(skill, places);
      const lock = locks.get(place);
      if (typeof lock === "string") return lock;
      const folder = realFolder(place, skill.dir);
      const locked = lock && folder !== undefined ? lockedAt(lock, folder) : undefined;
      if (locked && place === project && !isAccepted(locked))
        return `you have not accepted what ${place.file} says of it`;
      return locked ?? `it is not in ${place.file}`;
    };
  }
}

/** A lock that cannot be read vouches for nothing. */
async function readOrFault(place: LockPlace): Promise<SkillLock | string | undefined> {
  try {
    return await readLock(place);
  } catch (error) {
    if (error instanceof KnackError) return `the lock cannot be used (${error.message.split("\n")[0]})`;
    throw error;
  }
}

const SAID: Readonly<Record<FileChange["kind"], string>> = {
  changed: "has changed",
  missing: "is missing",
  extra: "is not in skills.lock",
  link: "is a link",
  unknown: "cannot be checked",
};

function faultIn(changes: readonly FileChange[]): string | undefined {
  const [first] = changes;
  if (!first) return undefined;
  const more = changes.length > 1 ? `, and ${changes.length - 1} more differ` : "";
  return `${first.path === "" ? "its folder" : shorten(first.path)} ${SAID[first.kind]}${more}`;
}

/** Empty where every byte is as it was. */
export async function checkLocked(place: LockPlace, locked: LockedSkill): Promise<FileChange[]> {
  const dir = folderOf(place, locked.folder);
  return leadsElsewhere(dir) ?? compareDigest(locked, await digestSkill(dir));
}

/** `skills-lock.json` has one digest for all files. */
export async function checkNpxLocked(place: LockPlace, locked: NpxLocked): Promise<FileChange[]> {
  const dir = folderOf(place, locked.folder);
  const elsewhere = leadsElsewhere(dir);
  if (elsewhere) return elsewhere;
  const now = await npxDigest(dir);
  if ("hash" in now) return now.hash === locked.hash ? [] : [{ path: "", kind: "changed" }];
  const { path, kind, detail } = now.fault;
  if (kind === "missing") return [{ path: "", kind }];
  return [{ path: "", kind: "unknown", detail: path === "" ? detail : `${shorten(path)}: ${detail}` }];
}

/** A lock names real folders, so a link on the way to one was put there later. */
function leadsElsewhere(dir: string): FileChange[] | undefined {
  if (!lstatSync(dir, { throwIfNoEntry: false })) return undefined;
  const real = canonical(dir);
  return real === dir ? undefined : [{ path: "", kind: "link", detail: `it leads to ${real}` }];
}
