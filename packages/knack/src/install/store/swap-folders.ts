import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "@knack/core";
import { digestSkill, syncFolder } from "@knack/core/internal";
import { type InstallPlace, skillFolder } from "../place.ts";
import type { Journal, JournalStep } from "./journal.ts";
import { keepCopy } from "./kept.ts";

export const stagedFolder = (place: InstallPlace, id: string, name: string): string =>
  join(place.stage, id, "new", name);

const oldFolder = (place: InstallPlace, id: string, name: string): string =>
  join(place.stage, id, "old", name);

/**
 * Puts the staged folders in their places, and what was there out of the way. A folder cannot be renamed over another, so a
 * replacement takes two renames; nothing else is done between them, to keep the moment without the skill short.
 */
export async function swapFolders(place: InstallPlace, { id, steps }: Journal): Promise<void> {
  const open = steps.filter((step) => isOpen(place, id, step));
  if (open.length === 0) return;
  for (const step of open) await prepare(place, id, step);
  mkdirSync(place.skillsFolder, { recursive: true });
  for (const { name, action } of open) {
    const { dir } = skillFolder(place, name);
    if (lstatSync(dir, { throwIfNoEntry: false })) renameSync(dir, oldFolder(place, id, name));
    if (action === "put") renameSync(stagedFolder(place, id, name), dir);
  }
  syncFolder(place.skillsFolder);
}

/** Whether a step is still to be done; a `put` without new files only changes the lock. */
function isOpen(place: InstallPlace, id: string, { name, action }: JournalStep): boolean {
  if (action === "put") return existsSync(stagedFolder(place, id, name));
  // What is there after a removal was put there by somebody else.
  return !existsSync(oldFolder(place, id, name)) && existsSync(place.skillsFolder);
}

/** What the user has not been asked about is kept. */
async function prepare(place: InstallPlace, id: string, { name, before }: JournalStep): Promise<void> {
  const { dir } = skillFolder(place, name);
  const old = oldFolder(place, id, name);
  const stats = lstatSync(dir, { throwIfNoEntry: false });
  if (stats?.isDirectory() && (await digestSkill(dir)).sha256 !== before) await keepCopy(place, name);
  if (stats) rmSync(old, { recursive: true, force: true });
  mkdirSync(dirname(old), { recursive: true, mode: 0o700 });
}

/** A rename works on one file system alone; found out before anything is begun. */
export function requireOneDisk({ stage, skillsFolder }: InstallPlace): void {
  let existing = skillsFolder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  if (statSync(existing).dev === statSync(stage).dev) return;
  throw new SkillError(
    "CONFLICT",
    `${stage} and ${skillsFolder} are on different file systems, so skills cannot be moved between them at once; nothing was changed. Put both on one file system; KNACK_HOME moves the folder for your own skills.`,
  );
}
