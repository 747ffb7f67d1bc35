import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../shared/errors.ts";
import { readOwn } from "../shared/own-file.ts";
import { readRegularFile } from "../shared/regular-file.ts";
import { removeQuietly, writeWhole } from "../shared/write-whole.ts";
import { type DigestFault, digestSkill, type SkillDigest } from "./digest-skill.ts";
import { updateLock } from "./lock-file.ts";
import { folderOf, type LockPlace, lockFolder } from "./lock-place.ts";
import { type LockedSkill, lockedAt, withAllLocked, withoutLocked } from "./skill-lock.ts";

/** Of one file; larger ones are data. */
const MAX_BYTES = 256 * 1024;
/** Of one skill. */
const MAX_SKILL_BYTES = 4 * 1024 * 1024;
/** Of all skills together; the oldest give way. */
const MAX_KEPT = 5_000;

/** Copies of locked texts in the user's folder, by digest, for `knack diff`. What cannot be kept is only not shown later. */
export function keepTexts(
  { userFolder }: Pick<LockPlace, "userFolder">,
  skills: readonly { readonly dir: string; readonly files: ReadonlyMap<string, string> }[],
): void {
  let written = 0;
  for (const { dir, files } of skills) {
    let room = MAX_SKILL_BYTES;
    for (const [path, sha256] of files) {
      const kept = keptFile(userFolder, sha256);
      if (written === MAX_KEPT || existsSync(kept)) continue;
      const content = readRegularFile(join(dir, path), Math.min(MAX_BYTES, room), false);
      if ("fault" in content || !isText(content.bytes) || digest(content.bytes) !== sha256) continue;
      room -= content.bytes.length;
      if (writeWhole(kept, content.bytes) === undefined) written++;
    }
  }
  if (written > 0) dropOldest(join(userFolder, "locked"));
}

export function keptText({ userFolder }: Pick<LockPlace, "userFolder">, sha256: string): Buffer | undefined {
  const content = readOwn(userFolder, keptFile(userFolder, sha256), MAX_BYTES);
  return "fault" in content || digest(content.bytes) !== sha256 ? undefined : content.bytes;
}

export function textNow(dir: string, path: string): Buffer | undefined {
  const content = readRegularFile(join(dir, path), MAX_BYTES, false);
  return "fault" in content || !isText(content.bytes) ? undefined : content.bytes;
}

function keptFile(userFolder: string, sha256: string): string {
  return join(userFolder, "locked", sha256);
}

function dropOldest(folder: string): void {
  try {
    const names = readdirSync(folder);
    if (names.length <= MAX_KEPT) return;
    const byAge = names
      .map((name) => ({ file: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
      .sort((a, b) => a.at - b.at);
    for (const { file } of byAge.slice(0, names.length - MAX_KEPT)) removeQuietly(file);
  } catch (error) {
    systemCode(error); // Another process tidies up at the same time; the next lock tries again.
  }
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

function digest(bytes: Buffer): string {
  return hash("sha256", bytes);
}

interface SkillToLock {
  readonly name: string;
  readonly dir: string;
  /** Where it came from; by default what the lock says. */
  readonly from?: Pick<LockedSkill, "source" | "ref" | "commit" | "path">;
}

export type LockReport = Awaited<ReturnType<typeof lockSkills>>;

/** Also keeps texts for `knack diff`. `dropsGone`: removes entries without a folder. */
export async function lockSkills(
  place: LockPlace,
  skills: readonly SkillToLock[],
  { dropsGone = false }: { readonly dropsGone?: boolean } = {},
) {
  /** What the lock said of them stays. */
  const refused: { name: string; dir: string; faults: readonly DigestFault[] }[] = [];
  const digested: { skill: SkillToLock; folder: string; digest: SkillDigest }[] = [];
  for (const skill of skills) {
    const folder = lockFolder(place, skill.dir);
    const digest = await digestSkill(skill.dir);
    const outside = { path: "", kind: "link", detail: `outside ${place.base}` } as const;
    const faults = folder === undefined ? [outside] : digest.faults;
    if (folder === undefined || faults.length > 0) refused.push({ name: skill.name, dir: skill.dir, faults });
    else digested.push({ skill, folder, digest });
  }
  const done: { name: string; folder: string; change: "new" | "updated" | "same"; files: number }[] = [];
  /** Entries whose folder is gone. */
  const dropped: { key: string; folder: string }[] = [];
  const lock = await updateLock(place, (before) => {
    const entries = digested.map(({ skill: { name, from }, folder, digest: { files, sha256 } }) => {
      const known = lockedAt(before, folder);
      const change = known === undefined ? "new" : known.sha256 === sha256 ? "same" : "updated";
      done.push({ name, folder, change, files: files.size });
      return [name, { ...(from ?? known), folder, sha256, files }] as const;
    });
    if (dropsGone)
      for (const [key, { folder }] of before)
        if (!lstatSync(folderOf(place, folder), { throwIfNoEntry: false })) dropped.push({ key, folder });
    return withoutLocked(withAllLocked(before, entries), ...dropped.map(({ folder }) => folder));
  });
  keepTexts(
    place,
    digested.map(({ skill: { dir }, digest: { files } }) => ({ dir, files })),
  );
  return { lock, done, refused, dropped };
}
