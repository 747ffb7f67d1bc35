import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "@knack/core";
import {
  addGitignore,
  digestSkill,
  systemCode,
  updateLock,
  withLocked,
  withLockHeld,
  withoutLocked,
  writeError,
} from "@knack/core/internal";
import { clientState, linkFor, unlinkFor } from "../client-links.ts";
import { type InstallPlace, skillFolder } from "../place.ts";
import { copyDurably } from "./copy-durably.ts";
import { type Journal, type JournalStep, readJournal, removeJournal, writeJournal } from "./journal.ts";
import { requireOneDisk, stagedFolder, swapFolders } from "./swap-folders.ts";

/** A step, and for `put` the folder with the new files. */
export interface InstallStep extends JournalStep {
  readonly from?: string;
}

/**
 * Installs, replaces and removes skills so that a process killed at any moment leaves all of it or nothing. The new folders are
 * staged beside their places; the journal is the decision; then each skill takes one rename, and the lock follows.
 */
export async function commitInstall(place: InstallPlace, steps: readonly InstallStep[]): Promise<void> {
  await withLockHeld(place.mutex, async () => {
    await recover(place);
    await requireUnchanged(place, steps);
    const id = randomUUID();
    try {
      if (place.scope === "project") makeOwnFolder(place);
      mkdirSync(join(place.stage, id), { recursive: true, mode: 0o700 });
      requireOneDisk(place);
      for (const { name, from } of steps)
        if (from !== undefined) copyDurably(from, stagedFolder(place, id, name));
      const journal = { id, steps: steps.map(({ from: _, ...step }) => step) };
      writeJournal(place, journal);
      await apply(place, journal);
    } catch (error) {
      // Before the journal nothing has happened; after it the next command finishes.
      if (readJournal(place) === undefined) rmSync(place.stage, { recursive: true, force: true });
      if (error instanceof Error && "code" in error && "syscall" in error)
        throw writeError(place.skillsFolder, systemCode(error), place.scope === "user");
      throw error;
    }
  });
}

/** Finishes what a killed process had begun, or takes away what it had only prepared. Quick where there is nothing. */
export async function recoverInstall(place: InstallPlace): Promise<void> {
  if (!existsSync(place.stage)) return;
  await withLockHeld(place.mutex, () => recover(place));
}

async function recover(place: InstallPlace): Promise<void> {
  const journal = readJournal(place);
  if (journal) await apply(place, journal);
  else rmSync(place.stage, { recursive: true, force: true });
}

/** Every part of it can be done again. */
async function apply(place: InstallPlace, journal: Journal): Promise<void> {
  await swapFolders(place, journal);
  for (const { action, name, clients, before } of journal.steps)
    for (const client of clients) {
      // Somebody may have put something of their own there meanwhile.
      const state = await clientState(place, client, name, before);
      if (action === "put" && (state === "ours" || state === "absent")) linkFor(place, client, name);
      if (action === "remove" && state === "ours") unlinkFor(place, client, name);
    }
  await updateLock(place.lock, (lock) =>
    journal.steps.reduce(
      (before, { name, locked }) =>
        locked ? withLocked(before, name, locked) : withoutLocked(before, skillFolder(place, name).folder),
      lock,
    ),
  );
  removeJournal(place, journal.id);
  rmSync(place.stage, { recursive: true, force: true });
  const above = join(place.base, ".agents");
  if (dirname(place.skillsFolder) === above) removeEmpty(above, place.skillsFolder);
}

/** Between the question and the lock somebody may have changed a file. */
async function requireUnchanged(place: InstallPlace, steps: readonly InstallStep[]): Promise<void> {
  for (const { name, before } of steps) {
    const { dir } = skillFolder(place, name);
    const stats = lstatSync(dir, { throwIfNoEntry: false });
    const now = stats?.isDirectory() ? (await digestSkill(dir)).sha256 : null;
    if (now !== before)
      throw new SkillError(
        "CONFLICT",
        `${dir} changed while you were asked; nothing was changed. Try again.`,
      );
  }
}

function makeOwnFolder(place: InstallPlace): void {
  const own = dirname(place.stage);
  mkdirSync(own, { recursive: true });
  addGitignore(place.base, own);
}

/** After the last skill is removed, the folder that held them goes too. */
function removeEmpty(...folders: readonly string[]): void {
  for (const folder of folders.toReversed())
    if (existsSync(folder) && readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}
