import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isValidName } from "@knack/core/catalog";
import { CLIENT_IDS } from "@knack/core/config";
import {
  addGitignore,
  readOwn,
  syncFolder,
  systemCode,
  withLock,
  writeDurably,
  writeError,
} from "@knack/core/files";
import { digestSkill, type LockedSkill, updateLock, withLocked, withoutLocked } from "@knack/core/lock";
import { isRecord, KnackError, parseJson } from "@knack/core/text";
import * as z from "zod";
import { conflict } from "../options.ts";
import { clientState, linkFor, unlinkFor } from "./client-links.ts";
import { existingPart, type InstallPlace, installPlace, skillFolder } from "./place.ts";

/** Copies a folder of regular files. When it returns, every byte and every name survives a power cut. */
function copyDurably(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o755 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyDurably(join(from, entry.name), target);
    else {
      copyFileSync(join(from, entry.name), target, constants.COPYFILE_EXCL);
      const descriptor = openSync(target, "r");
      fsyncSync(descriptor);
      closeSync(descriptor);
    }
  }
  syncFolder(to);
}

/** What is about to be done. From the moment it is on disk, it is done: by this process or by the next. */
const JOURNAL = z.object({
  /** Name of the folder with the new skills, which nobody can guess. */
  id: z.string(),
  /** A step is one skill that comes, is replaced or goes. */
  steps: z.array(
    z.object({
      name: z.string().refine(isValidName),
      action: z.enum(["put", "remove"]),
      /** Digest of what was there when the user was asked; null where there was nothing. */
      before: z.string().nullable(),
      /** What the lock says afterwards; null takes the entry away. */
      locked: z.custom<LockedSkill>((entry) => isRecord(entry) && isRecord(entry.files)).nullable(),
      /** Clients in whose folders it is placed too, or from whose folders it is taken. */
      clients: z.array(z.enum(CLIENT_IDS)).readonly(),
    }),
  ),
});
type Journal = z.infer<typeof JOURNAL>;
type JournalStep = Journal["steps"][number];

const MAX_JOURNAL_BYTES = 32 * 1024 * 1024;

/** In the user's folder: one in a project could come from a stranger, and would move and remove folders. */
const journalFile = ({ journals }: InstallPlace, id: string): string => join(journals, `${id}.json`);

function writeJournal(place: InstallPlace, journal: Journal): void {
  const file = journalFile(place, journal.id);
  mkdirSync(place.journals, { recursive: true, mode: 0o700 });
  const text = JSON.stringify(journal, (_key, value) =>
    value instanceof Map ? Object.fromEntries(value) : value,
  );
  const failure = writeDurably(file, 0o600, text);
  if (failure !== undefined) throw writeError(file, failure);
}

/** The journal of a process that was killed: of a folder that waits here. What is not what Knack writes is none. */
function readJournal(place: InstallPlace): Journal | undefined {
  const isThere = statSync(place.stage, { throwIfNoEntry: false })?.isDirectory();
  for (const id of isThere ? readdirSync(place.stage) : []) {
    const content = readOwn(place.lock.userFolder, journalFile(place, id), MAX_JOURNAL_BYTES);
    const { data } = JOURNAL.safeParse(
      "fault" in content ? undefined : parseJson(content.bytes.toString("utf8")),
    );
    if (data?.id !== id) continue;
    const steps = data.steps.map(({ locked, ...step }) => ({
      ...step,
      locked: locked && { ...locked, files: new Map(Object.entries(locked.files)) },
    }));
    return { id, steps };
  }
  return undefined;
}

/** Keeps a copy of a skill's folder as it is, links as links. Answers where it is. */
export async function keepCopy(place: InstallPlace, name: string): Promise<string> {
  const { dir } = skillFolder(place, name);
  const { sha256 } = await digestSkill(dir);
  const temporary = join(place.kept, `.${name}-${randomUUID()}`);
  try {
    mkdirSync(place.kept, { recursive: true, mode: 0o700 });
    cpSync(dir, temporary, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    for (let number = 1; ; number++) {
      const path = join(place.kept, `${name}-${sha256.slice(0, 8)}${number === 1 ? "" : `-${number}`}`);
      if (existsSync(path)) continue;
      renameSync(temporary, path);
      syncFolder(place.kept);
      return path;
    }
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw writeError(place.kept, systemCode(error), true);
  }
}

const stagedFolder = (place: InstallPlace, id: string, name: string): string =>
  join(place.stage, id, "new", name);

const oldFolder = (place: InstallPlace, id: string, name: string): string =>
  join(place.stage, id, "old", name);

/**
 * Puts the staged folders in their places, and what was there out of the way. A folder cannot be renamed over another, so a
 * replacement takes two renames; nothing else is done between them, to keep the moment without the skill short.
 */
async function swapFolders(place: InstallPlace, { id, steps }: Journal): Promise<void> {
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
  const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (action === "put") return isThere(stagedFolder(place, id, name));
  // What is there after a removal was put there by somebody else.
  return !isThere(oldFolder(place, id, name)) && existsSync(place.skillsFolder);
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
function requireOneDisk({ stage, skillsFolder }: InstallPlace): void {
  if (statSync(existingPart(skillsFolder)).dev === statSync(stage).dev) return;
  throw conflict(
    `${stage} and ${skillsFolder} are on different file systems, so skills cannot be moved between them at once; nothing was changed. Put both on one file system; KNACK_HOME moves the folder for your own skills.`,
  );
}

/** A step, and for `put` the folder with the new files, or where a link in its place leads. */
export interface InstallStep extends JournalStep {
  readonly from?: string;
  readonly link?: string;
}

/**
 * Installs, replaces and removes skills so that a process killed at any moment leaves all of it or nothing. The new folders are
 * staged beside their places; the journal is the decision; then each skill takes one rename, and the lock follows.
 */
export async function commitInstall(place: InstallPlace, steps: readonly InstallStep[]): Promise<void> {
  await withLock(place.lock.userFolder, place.skillsFolder, async () => {
    await recover(place);
    await requireUnchanged(place, steps);
    const id = randomUUID();
    try {
      if (place.scope === "project") {
        mkdirSync(dirname(place.stage), { recursive: true });
        addGitignore(place.base, dirname(place.stage));
      }
      mkdirSync(join(place.stage, id), { recursive: true, mode: 0o700 });
      requireOneDisk(place);
      mkdirSync(dirname(stagedFolder(place, id, "any")));
      for (const { name, from, link } of steps) {
        if (from !== undefined) copyDurably(from, stagedFolder(place, id, name));
        if (link !== undefined) symlinkSync(link, stagedFolder(place, id, name), "dir");
      }
      const journal = { id, steps: steps.map(({ from: _from, link: _link, ...step }) => step) };
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
  await withLock(place.lock.userFolder, place.skillsFolder, () => recover(place));
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
  rmSync(journalFile(place, journal.id), { force: true });
  syncFolder(place.journals);
  rmSync(place.stage, { recursive: true, force: true });
  // After the last skill is removed, the folders that held them go too.
  const above = join(place.base, ".agents");
  if (dirname(place.skillsFolder) !== above) return;
  for (const folder of [place.skillsFolder, above])
    if (existsSync(folder) && readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}

async function requireUnchanged(place: InstallPlace, steps: readonly InstallStep[]): Promise<void> {
  for (const { name, before } of steps) {
    const { dir } = skillFolder(place, name);
    const stats = lstatSync(dir, { throwIfNoEntry: false });
    const now = stats?.isDirectory() ? (await digestSkill(dir)).sha256 : null;
    if (now !== before)
      throw conflict(`${dir} changed while you were asked; nothing was changed. Try again.`);
  }
}

/** Finishes what a killed command had begun, in this project and for the user: before anybody compares skills with their locks. */
export async function recoverInstalls(options: { readonly cwd?: string }): Promise<void> {
  for (const user of [false, true]) {
    let place: InstallPlace;
    try {
      place = installPlace({ ...options, user });
    } catch (error) {
      // Where nothing can be installed, nothing was begun.
      if (error instanceof KnackError) continue;
      throw error;
    }
    await recoverInstall(place);
  }
}
