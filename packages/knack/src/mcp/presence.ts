import { hash, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { knackHome } from "@knack/core/config";
import { lookAtOwn, readOwn, realBase, removeQuietly, writeWhole } from "@knack/core/files";
import { isGone, ownProcess } from "@knack/core/process";
import * as z from "zod";
import type { ConnectedClient, ConnectedClients } from "./connected-clients.ts";
import { type OpenQuestion, PageQuestions, QUESTION_MS } from "./page-questions.ts";

/**
 * The processes of a project are seen by small files in the user's folder: each `knack mcp` says which clients it has and what
 * they ask, `knack serve` whether a page is open that shows questions. A file whose process is gone is removed.
 */
interface Presence {
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

/** Answers of a person on the page to questions of another process: a file each, which that process takes away. */

const answerSchema = z.strictObject({ answer: z.enum(["allow", "deny", "dismiss"]), always: z.boolean() });
export type QuestionAnswer = z.infer<typeof answerSchema>;

const MAX_ANSWER_BYTES = 1_000;

/** `id` is one that a process gave to its question, so it is a name without separators. */
const fileOf = (folder: string, id: string): string => join(folder, `answer-${id}.json`);

/** False where it could not be written. */
export function writeAnswer(place: PresencePlace, id: string, answer: QuestionAnswer): boolean {
  const { base, folder } = projectFolder(place);
  const file = fileOf(folder, id);
  if (lookAtOwn(base, file).kind === "refused") return false;
  return writeWhole(file, JSON.stringify(answer)) === undefined;
}

function takeAnswer(place: PresencePlace, id: string): QuestionAnswer | undefined {
  const { base, folder } = projectFolder(place);
  const file = fileOf(folder, id);
  const content = readOwn(base, file, MAX_ANSWER_BYTES);
  if ("fault" in content) return undefined;
  removeQuietly(file);
  return answerSchema.safeParse(parseJson(content.bytes.toString("utf8"))).data;
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
    for (const { id } of this.questions.list()) {
      const given = takeAnswer(this.#place, id);
      if (given) this.questions.answer(id, given.answer, given.always);
    }
  }

  #write(): void {
    const [clients, questions] = [this.#clients.list(), this.questions.list()];
    this.#file.write({ clients, questions, answers: false });
  }
}
