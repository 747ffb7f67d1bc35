import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  CLIENT_IDS,
  type ClientId,
  isValidName,
  type LockedSkill,
  readOwn,
  syncFolder,
  writeDurably,
  writeError,
} from "@knack/core/internal";
import type { InstallPlace } from "../place.ts";

/** One skill that comes, is replaced or goes. */
export interface JournalStep {
  readonly name: string;
  readonly action: "put" | "remove";
  /** Digest of what was there when the user was asked; null where there was nothing. */
  readonly before: string | null;
  /** What the lock says afterwards; null takes the entry away. */
  readonly locked: LockedSkill | null;
  /** Clients in whose folders it is placed too, or from whose folders it is taken. */
  readonly clients: readonly ClientId[];
}

/** What is about to be done. From the moment it is on disk, it is done: by this process or by the next. */
export interface Journal {
  /** Name of the folder with the new skills. */
  readonly id: string;
  readonly steps: readonly JournalStep[];
}

const MAX_BYTES = 32 * 1024 * 1024;
const ID = /^[0-9a-f-]{36}$/;

const journalFile = ({ stage }: InstallPlace): string => join(stage, "journal.json");

export function writeJournal(place: InstallPlace, journal: Journal): void {
  const file = journalFile(place);
  const steps = journal.steps.map(({ locked, ...step }) => ({
    ...step,
    locked: locked && { ...locked, files: Object.fromEntries(locked.files) },
  }));
  const failure = writeDurably(file, 0o600, JSON.stringify({ id: journal.id, steps }));
  if (failure !== undefined) throw writeError(file, failure);
}

export function removeJournal(place: InstallPlace): void {
  rmSync(journalFile(place), { force: true });
  syncFolder(place.stage);
}

/**
 * The journal of a process that was killed. A stranger's project may bring a file of this name: whatever is not exactly what
 * Knack writes is none, and names are names of skills, never paths.
 */
export function readJournal(place: InstallPlace): Journal | undefined {
  const content = readOwn(place.lock.own, journalFile(place), MAX_BYTES);
  // Files from git or an archive mostly have a wider mode.
  if ("fault" in content || (content.stats.mode & 0o077) !== 0) return undefined;
  try {
    return parseJournal(JSON.parse(content.bytes.toString("utf8")));
  } catch {
    return undefined;
  }
}

function parseJournal({ id, steps }: { id: unknown; steps: unknown }): Journal | undefined {
  if (typeof id !== "string" || !ID.test(id) || !Array.isArray(steps)) return undefined;
  const read = steps.map(parseStep);
  return read.every((step) => step !== undefined) ? { id, steps: read } : undefined;
}

function parseStep(step: Record<string, unknown>): JournalStep | undefined {
  const { name, action, before, locked, clients } = step;
  if (typeof name !== "string" || !isValidName(name) || !(before === null || typeof before === "string"))
    return undefined;
  if ((action !== "put" && action !== "remove") || !Array.isArray(clients)) return undefined;
  const known = CLIENT_IDS.filter((client) => clients.includes(client));
  return { name, action, before, clients: known, locked: locked === null ? null : parseLocked(locked) };
}

function parseLocked(value: unknown): LockedSkill {
  const { files, ...rest } = value as LockedSkill & { files: Record<string, string> };
  return { ...rest, files: new Map(Object.entries(files)) };
}
