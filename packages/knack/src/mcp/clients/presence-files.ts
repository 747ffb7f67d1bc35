import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isGone, lookAtOwn, ownProcess, readOwn, removeQuietly, writeWhole } from "@knack/core/internal";
import * as z from "zod";
import type { OpenQuestion } from "../elicitation/page-questions.ts";
import type { ConnectedClient } from "./connected-clients.ts";
import { type PresencePlace, type ProjectFolder, projectFolder } from "./project-folder.ts";

/**
 * The processes of a project are seen by small files in the user's folder: each `knack mcp` says which clients it has and what
 * they ask, `knack serve` whether a page is open that shows questions. A file whose process is gone is removed.
 */
export interface Presence {
  readonly clients: readonly ConnectedClient[];
  readonly questions: readonly OpenQuestion[];
  /** A page is open on which somebody can answer. */
  readonly answers: boolean;
}

const MAX_BYTES = 256 * 1024;
/** More than anybody has; a folder that is fuller is not read to its end. */
const MAX_FILES = 200;

const text = z.string().max(4_000);
const clientSchema: z.ZodType<ConnectedClient> = z.object({
  id: text,
  name: text,
  version: text,
  transport: z.enum(["stdio", "http"]),
  since: z.iso.datetime(),
  last_seen: z.iso.datetime(),
  calls: z.int().min(0),
});
const questionSchema: z.ZodType<OpenQuestion> = z.object({
  id: z.uuid(),
  client: text,
  tool: text,
  skill: text.nullable(),
  path: text.nullable(),
  executes: z.boolean(),
  reason: text,
  text,
  can_last: z.boolean(),
  asked_at: z.iso.datetime(),
  until: z.iso.datetime(),
});
const presenceSchema = z.object({
  process: z.object({ boot: text, space: text, pid: z.int().min(1), started: text }),
  clients: z.array(clientSchema).max(100),
  questions: z.array(questionSchema).max(100),
  answers: z.boolean(),
});

/** The file of this process. */
export class PresenceFile {
  readonly #place: ProjectFolder;
  readonly #file: string;
  #isThere = false;

  constructor(place: PresencePlace) {
    this.#place = projectFolder(place);
    this.#file = join(this.#place.folder, `${process.pid}-${randomUUID()}.json`);
  }

  /** A folder that cannot be written is no reason to serve nobody: then this process is not seen by others. */
  write({ clients, questions, answers }: Presence): void {
    if (clients.length + questions.length === 0 && !answers) {
      this.remove();
      return;
    }
    const { boot, space, pid, started } = ownProcess();
    if (lookAtOwn(this.#place.base, this.#file).kind === "refused") return;
    const mark = { boot, space, pid, started };
    const content = JSON.stringify({ process: mark, clients, questions, answers });
    this.#isThere = writeWhole(this.#file, content) === undefined || this.#isThere;
  }

  remove(): void {
    if (this.#isThere) removeQuietly(this.#file);
    this.#isThere = false;
  }
}

/** What the other processes of the project say. */
export function readPresences(place: PresencePlace): Presence {
  const { base, folder } = projectFolder(place);
  const all = namesIn(folder).flatMap((name) => readPresence(base, join(folder, name)) ?? []);
  return {
    clients: all.flatMap(({ clients }) => clients),
    questions: all.flatMap(({ questions }) => questions),
    answers: all.some(({ answers }) => answers),
  };
}

function namesIn(folder: string): string[] {
  const isOther = (name: string): boolean =>
    /^\d+-[\w-]+\.json$/.test(name) && !name.startsWith(`${process.pid}-`);
  try {
    return readdirSync(folder).filter(isOther).slice(0, MAX_FILES);
  } catch {
    // No process has written one yet.
    return [];
  }
}

function readPresence(base: string, file: string): Presence | undefined {
  const content = readOwn(base, file, MAX_BYTES);
  if ("fault" in content) return undefined;
  const read = presenceSchema.safeParse(parseJson(content.bytes.toString("utf8")));
  if (!read.success) return undefined;
  const { process: mark, ...presence } = read.data;
  const own = ownProcess();
  // Process numbers of another container mean nothing here; of an earlier start of the machine they are gone.
  if (mark.boot === own.boot && (mark.space !== own.space || !isGone(mark))) return presence;
  // A home folder may be shared with another machine, whose start is another one too.
  if (mark.boot === own.boot || isOld(content.stats.mtimeMs)) removeQuietly(file);
  return undefined;
}

const DAY_MS = 86_400_000;
const isOld = (mtimeMs: number): boolean => Date.now() - mtimeMs > DAY_MS;

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Somebody else wrote it; Knack's own files are whole.
    return undefined;
  }
}
