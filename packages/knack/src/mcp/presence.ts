import { hash, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { knackHome } from "@knack/core/config";
import { lookAtOwn, readOwn, realBase, removeQuietly, writeWhole } from "@knack/core/files";
import { isGone, ownProcess } from "@knack/core/process";
import * as z from "zod";
import { type ConnectedClients, connectedClientSchema } from "./connected-clients.ts";
import { openQuestionSchema, PageQuestions, QUESTION_MS, questionAnswerSchema } from "./page-questions.ts";

/**
 * The processes of a project are seen by small files in the user's folder: each `knack mcp` says which clients it has and what
 * they ask, `knack serve` whether a page is open that shows questions and how they were answered there. A file whose process
 * is gone is removed.
 */
const presenceSchema = z.object({
  clients: z.array(connectedClientSchema).default([]),
  questions: z.array(openQuestionSchema).default([]),
  /** A page is open on which somebody can answer. */
  answers: z.boolean().default(false),
  given: z.array(z.strictObject({ id: z.string(), ...questionAnswerSchema.shape })).default([]),
});
type Presence = z.infer<typeof presenceSchema>;

const markSchema = z.object({
  boot: z.string(),
  space: z.string(),
  pid: z.int().min(1),
  started: z.string(),
});
const fileSchema = presenceSchema.extend({ process: markSchema });

const MAX_BYTES = 256 * 1024;
/** More than anybody has; a folder that is fuller is not read to its end. */
const MAX_FILES = 200;

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
  write({ clients = [], questions = [], answers = false, given = [] }: Partial<Presence>): void {
    if (clients.length + questions.length + given.length === 0 && !answers) {
      this.remove();
      return;
    }
    if (lookAtOwn(this.#place.base, this.#file).kind === "refused") return;
    const { boot, space, pid, started } = ownProcess();
    const mark = { boot, space, pid, started };
    const content = JSON.stringify({ process: mark, clients, questions, answers, given });
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
    given: all.flatMap(({ given }) => given),
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
  const read = fileSchema.safeParse(parseJson(content.bytes.toString("utf8")));
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Somebody else wrote it; Knack's own files are whole.
    return undefined;
  }
}

/** Whose processes these are: those of one user that serve one project. */
export interface PresencePlace {
  readonly projectRoot: string;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

interface ProjectFolder {
  /** The user's own folder: below it no link is followed. */
  readonly base: string;
  readonly folder: string;
}

/** Where the processes of a project tell each other what they do: in the user's own folder, readable by the user alone. */
function projectFolder({ projectRoot, env, home }: PresencePlace): ProjectFolder {
  const base = realBase(knackHome(env, home));
  return { base, folder: join(base, "clients", hash("sha256", projectRoot, "hex").slice(0, 32)) };
}

const POLL_MS = 200;

/** The page of a `knack serve` that serves the same project: it shows the clients of this process and answers what they ask. */
export class RemotePage {
  readonly questions = new PageQuestions(QUESTION_MS);
  readonly #place: PresencePlace;
  readonly #clients: ConnectedClients;
  readonly #file: PresenceFile;
  #timer: NodeJS.Timeout | undefined;

  constructor(place: PresencePlace, clients: ConnectedClients) {
    this.#place = place;
    this.#clients = clients;
    this.#file = new PresenceFile(place);
    this.questions.canAsk = () => readPresences(place).answers;
    this.questions.follow(() => this.#asked());
    clients.follow(() => this.#write());
  }

  close(): void {
    clearInterval(this.#timer);
    this.#file.remove();
  }

  #asked(): void {
    this.#write();
    if (this.questions.list().length > 0) this.#timer ??= setInterval(() => this.#look(), POLL_MS);
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #look(): void {
    for (const { id, ...answer } of readPresences(this.#place).given) this.questions.answer(id, answer);
  }

  #write(): void {
    this.#file.write({ clients: this.#clients.list(), questions: this.questions.list() });
  }
}
