import { hash, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { knackHome } from "@knack/core/config";
import * as z from "zod";
import {
  readProcessFile,
  removeProcessFile,
  type UserHome,
  writeProcessFile,
} from "../host/process-files.ts";
import { type ConnectedClients, connectedClientSchema } from "./connected-clients.ts";
import { openQuestionSchema, PageQuestions, QUESTION_MS, questionAnswerSchema } from "./page-questions.ts";

/**
 * What the processes of a project tell each other: each `knack mcp` which clients it has and what they ask, `knack serve`
 * whether a page is open that shows questions and how they were answered there.
 */
const presenceSchema = z.object({
  clients: z.array(connectedClientSchema).default([]),
  questions: z.array(openQuestionSchema).default([]),
  /** A page is open on which somebody can answer. */
  answers: z.boolean().default(false),
  given: z
    .array(z.strictObject({ id: z.string(), ...questionAnswerSchema.shape, by: z.string().optional() }))
    .default([]),
});
type Presence = z.infer<typeof presenceSchema>;

/** More than anybody has; a folder that is fuller is not read to its end. */
const MAX_FILES = 200;

/** Whose processes these are: those of one user that serve one project. */
export interface PresencePlace extends UserHome {
  readonly projectRoot: string;
}

/** The file of this process. */
export function presenceFile(place: PresencePlace) {
  const file = join(folderOf(place), `${process.pid}-${randomUUID()}.json`);
  let isThere = false;
  const remove = (): void => {
    if (isThere) removeProcessFile(place, file);
    isThere = false;
  };
  return {
    /** A folder that cannot be written is no reason to serve nobody: then this process is not seen by others. */
    write: ({ clients = [], questions = [], answers = false, given = [] }: Partial<Presence>): void => {
      if (clients.length + questions.length + given.length === 0 && !answers) remove();
      else if (writeProcessFile(place, file, { clients, questions, answers, given })) isThere = true;
    },
    remove,
  };
}

/** What the other processes of the project say. */
export function readPresences(place: PresencePlace): Presence {
  const all = othersIn(place).flatMap(
    (name) => readProcessFile(place, join(folderOf(place), name), presenceSchema.shape)?.content ?? [],
  );
  return {
    clients: all.flatMap(({ clients }) => clients),
    questions: all.flatMap(({ questions }) => questions),
    answers: all.some(({ answers }) => answers),
    given: all.flatMap(({ given }) => given),
  };
}

function othersIn(place: PresencePlace): string[] {
  const isOther = (name: string): boolean =>
    /^\d+-[\w-]+\.json$/.test(name) && !name.startsWith(`${process.pid}-`);
  try {
    const folder = join(knackHome(place.env, place.home), folderOf(place));
    return readdirSync(folder).filter(isOther).slice(0, MAX_FILES);
  } catch {
    // No process has written one yet.
    return [];
  }
}

function folderOf({ projectRoot }: PresencePlace): string {
  return join("clients", hash("sha256", projectRoot, "hex").slice(0, 32));
}

const POLL_MS = 200;

/** The page of a `knack serve` that serves the same project: it shows the clients of this process and answers what they ask. */
export function remotePage(place: PresencePlace, clients: ConnectedClients) {
  const questions = new PageQuestions(QUESTION_MS);
  const file = presenceFile(place);
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => file.write({ clients: clients.list(), questions: questions.list() });
  const look = (): void => {
    for (const { id, ...answer } of readPresences(place).given) questions.answer(id, answer);
  };
  const stopLooking = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  questions.canAsk = () => readPresences(place).answers;
  questions.onChange = () => {
    write();
    if (questions.list().length > 0) timer ??= setInterval(look, POLL_MS);
    else stopLooking();
  };
  clients.onChange = write;
  return {
    questions,
    close: (): void => {
      stopLooking();
      file.remove();
    },
  };
}
