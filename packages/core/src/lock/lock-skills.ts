import { lstatSync } from "node:fs";
import { type DigestFault, digestSkill, type SkillDigest } from "./digest-skill.ts";
import { keepAllTexts } from "./kept-texts.ts";
import { updateLock } from "./lock-file.ts";
import { folderOf, type LockPlace, lockFolder } from "./lock-place.ts";
import { type LockedSkill, lockedAt, type SkillLock, withAllLocked, withoutLocked } from "./skill-lock.ts";

/** Where a skill came from. */
export type LockedSource = Pick<LockedSkill, "source" | "ref" | "commit" | "path">;

/** A skill to lock. */
export interface SkillToLock {
  readonly name: string;
  readonly dir: string;
  /** Where it came from; what the lock says of that stays where this is absent. */
  readonly from?: LockedSource;
}

export interface LockReport {
  readonly lock: SkillLock;
  readonly done: readonly {
    readonly name: string;
    readonly folder: string;
    readonly change: "new" | "updated" | "same";
    readonly files: number;
  }[];
  /** Skills that cannot be locked, and why; what the lock said of them stays. */
  readonly refused: readonly {
    readonly name: string;
    readonly dir: string;
    readonly faults: readonly DigestFault[];
  }[];
  /** Entries that were removed because their folder is gone. */
  readonly dropped: readonly { readonly key: string; readonly folder: string }[];
}

/**
 * Locks skills as they are now, and keeps their texts for `knack diff`. `dropsGone`: entries without a folder are removed.
 */
export async function lockSkills(
  place: LockPlace,
  skills: readonly SkillToLock[],
  { dropsGone = false }: { readonly dropsGone?: boolean } = {},
): Promise<LockReport> {
  const refused: LockReport["refused"][number][] = [];
  const digested: { skill: SkillToLock; folder: string; digest: SkillDigest }[] = [];
  for (const skill of skills) {
    const folder = lockFolder(place, skill.dir);
    const digest = await digestSkill(skill.dir);
    const outside = { path: "", kind: "link", detail: `outside ${place.base}` } as const;
    const faults = folder === undefined ? [outside] : digest.faults;
    if (folder === undefined || faults.length > 0) refused.push({ name: skill.name, dir: skill.dir, faults });
    else digested.push({ skill, folder, digest });
  }
  const done: LockReport["done"][number][] = [];
  const dropped: LockReport["dropped"][number][] = [];
  const lock = await updateLock(place, (before) => {
    const entries = digested.map(({ skill: { name, from }, folder, digest: { files, sha256 } }) => {
      const known = lockedAt(before, folder);
      const change = known === undefined ? "new" : known.sha256 === sha256 ? "same" : "updated";
      done.push({ name, folder, change, files: files.size });
      return [name, { folder, sha256, files, ...(from ?? sourceOf(known)) }] as const;
    });
    if (dropsGone)
      for (const [key, { folder }] of before)
        if (!lstatSync(folderOf(place, folder), { throwIfNoEntry: false })) dropped.push({ key, folder });
    return withoutLocked(withAllLocked(before, entries), ...dropped.map(({ folder }) => folder));
  });
  keepAllTexts(
    place,
    digested.map(({ skill: { dir }, digest: { files } }) => ({ dir, files })),
  );
  return { lock, done, refused, dropped };
}

function sourceOf(known: LockedSkill | undefined): LockedSource {
  if (!known) return {};
  const { folder: _folder, sha256: _sha256, files: _files, ...from } = known;
  return from;
}
