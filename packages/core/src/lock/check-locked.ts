import { lstatSync } from "node:fs";
import { canonical } from "../shared/paths.ts";
import { compareDigest, type FileChange } from "./compare-digest.ts";
import { digestSkill } from "./digest-skill.ts";
import { folderOf, type LockPlace } from "./lock-place.ts";
import { type NpxLocked, npxDigest } from "./npx-lock.ts";
import type { LockedSkill } from "./skill-lock.ts";

/** How a locked skill differs from its lock now: empty where every byte is as it was. */
export async function checkLocked(place: LockPlace, locked: LockedSkill): Promise<FileChange[]> {
  const dir = folderOf(place, locked.folder);
  return leadsElsewhere(dir) ?? compareDigest(locked, await digestSkill(dir));
}

/** The same for a skill of `skills-lock.json`, which has one digest for all files. */
export function checkNpxLocked(place: LockPlace, locked: NpxLocked): FileChange[] {
  const dir = folderOf(place, locked.folder);
  const elsewhere = leadsElsewhere(dir);
  if (elsewhere) return elsewhere;
  const now = npxDigest(dir);
  if ("hash" in now) return now.hash === locked.hash ? [] : [{ path: "", kind: "changed" }];
  return [
    now.fault === "ENOENT" ? { path: "", kind: "missing" } : { path: "", kind: "unknown", detail: now.fault },
  ];
}

/** A lock names real folders, so a link on the way to one was put there later. */
function leadsElsewhere(dir: string): FileChange[] | undefined {
  if (!lstatSync(dir, { throwIfNoEntry: false })) return undefined;
  const real = canonical(dir);
  return real === dir ? undefined : [{ path: "", kind: "link", detail: `it leads to ${real}` }];
}
