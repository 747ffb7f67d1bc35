import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  CLIENT_IDS,
  type ClientId,
  isValidName,
  type LockedSkill,
  readOwn,
  syncFolder,
  systemCode,
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
  /** Name of the folder with the new skills, which nobody can guess. */
  readonly id: string;
  readonly steps: readonly JournalStep[];
}

const MAX_BYTES = 32 * 1024 * 1024;
const ID = /^[0-9a-f-]{36}$/;

/** In the user's folder: one in a project could come from a stranger, and would move and remove folders. */
const journalFile = ({ journals }: InstallPlace, id: string): string => join(journals, `${id}.json`);

export function writeJournal(place: InstallPlace, journal: Journal): void {
  const file = journalFile(place, journal.id);
  mkdirSync(place.journals, { recursive: true, mode: 0o700 });
  const steps = journal.steps.map(({ locked, ...step }) => ({
    ...step,
    locked: locked && { ...locked, files: Object.fromEntries(locked.files) },
  }));
  const failure = writeDurably(file, 0o600, JSON.stringify({ id: journal.id, steps }));
  if (failure !== undefined) throw writeError(file, failure);
}

export function removeJournal(place: InstallPlace, id: string): void {
  rmSync(journalFile(place, id), { force: true });
  syncFolder(place.journals);
}

/** The journal of a process that was killed: of a folder that waits here. What is not exactly what Knack writes is none. */
export function readJournal(place: InstallPlace): Journal | undefined {
  for (const id of stagedIds(place)) {
    const content = readOwn(place.lock.userFolder, journalFile(place, id), MAX_BYTES);
    if ("fault" in content) continue;
    try {
      const journal = parseJournal(JSON.parse(content.bytes.toString("utf8")));
      if (journal?.id === id) return journal;
    } catch {
      // Not Knack's.
    }
  }
  return undefined;
}

function stagedIds({ stage }: InstallPlace): string[] {
  try {
    return readdirSync(stage, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && ID.test(entry.name))
      .map(({ name }) => name);
  } catch (error) {
    systemCode(error);
    return [];
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
