import { hash } from "node:crypto";
import { appendFileSync, constants, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { systemCode } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";
import { lookAtOwn, readOwn } from "../shared/own-file.ts";
import { makeOwnFolder, removeQuietly, writeWhole } from "../shared/write-whole.ts";
import { type LoadedSkill, loadedSkillSchema, type SharedLoads } from "./loaded-skills.ts";

/**
 * What is known of one conversation of a client, for every process that serves it: its server, and each hook. A line an event,
 * appended in one write, so that nobody has to wait for anybody. It is a memory and grants nothing: what is given is permitted
 * each time.
 */
const PROCESS = z.strictObject({ pid: z.int(), started: z.string() });
const LINE = z.union([
  z.strictObject({ loaded: loadedSkillSchema, agent: z.string() }),
  /** The client has shortened the conversation: what was given is no longer in it. */
  z.strictObject({ forgot: z.literal(true), agent: z.string() }),
  /** Given by a server that did not know the conversation. */
  z.strictObject({ used: z.string() }),
  /** What a subagent is to do, which is known before it begins. */
  z.strictObject({ task: z.string() }),
  z.strictObject({ began: z.string() }),
  /** A call of one of Knack's own tools that comes next, and by which subagent. */
  z.strictObject({ call: z.string(), agent: z.string() }),
  z.strictObject({ took: z.string() }),
  /** A gate has refused. */
  z.strictObject({ refused: z.literal(true) }),
  /** The agent has answered; the next request begins. */
  z.strictObject({ turn: z.literal(true) }),
]);
type Line = z.infer<typeof LINE>;
/** In a file of its own, which is replaced: the processes of the client, by which a server finds the conversation that it serves. */
const SERVED = z.strictObject({ client: z.string(), id: z.string(), processes: z.array(PROCESS) });
export type ClientProcess = z.infer<typeof PROCESS>;

/** Beyond this nothing more is noted: then a text may be given twice. */
const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 10_000;
const KEEP_MS = 30 * 86_400_000;
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

interface Known {
  readonly stamp: string;
  readonly lines: readonly Line[];
}

/** One conversation, or that of one subagent in it (`agent`; `""` is the conversation itself). */
export class ConversationFile implements SharedLoads {
  readonly #base: string;
  readonly #file: string;
  readonly #client: string;
  readonly id: string;
  readonly #agent: string;
  #known: Known = { stamp: "", lines: [] };

  /** `knackFolder`: the user's own folder, which no project can move. */
  constructor(knackFolder: string, client: string, id: string, agent = "") {
    this.#base = knackFolder;
    this.#client = client;
    this.id = id;
    this.#agent = agent;
    this.#file = join(
      folderIn(knackFolder),
      `${hash("sha256", JSON.stringify([client, id])).slice(0, 32)}.jsonl`,
    );
  }

  /** The same conversation, for a subagent. */
  of(agent: string): ConversationFile {
    return new ConversationFile(this.#base, this.#client, this.id, agent);
  }

  /** What it has been given and still has. */
  read(): readonly LoadedSkill[] {
    const own = this.#lines().filter((line) => "agent" in line && line.agent === this.#agent);
    const since = own.findLastIndex((line) => "forgot" in line) + 1;
    return own.slice(since).flatMap((line) => ("loaded" in line ? [line.loaded] : []));
  }

  /** The paths of everything that it, or a subagent of it, was ever given, also what is no longer in it. */
  everLoaded(): ReadonlySet<string> {
    const pathIn = (line: Line): string[] =>
      "loaded" in line ? [line.loaded.path] : "used" in line ? [line.used] : [];
    return new Set(this.#lines().flatMap(pathIn));
  }

  /** The skill that was given last in this turn, by its path. */
  activePath(): string | undefined {
    const lines = this.#lines();
    const since = lines.findLastIndex((line) => "turn" in line) + 1;
    const last = lines.slice(since).findLast((line) => "loaded" in line && line.agent === this.#agent);
    return last && "loaded" in last ? last.loaded.path : undefined;
  }

  /** The agent has answered: what was loaded is no longer active. */
  endTurn(): void {
    const lines = this.#lines();
    const since = lines.findLastIndex((line) => "turn" in line) + 1;
    if (lines.slice(since).some((line) => "loaded" in line)) this.#append({ turn: true });
  }

  /** This subagent makes the call of `key` next; a server that is shared by all of them cannot tell whose it is. */
  willCall(key: string): void {
    this.#append({ call: key, agent: this.#agent });
  }

  /** Whose call it is that comes now: that of the conversation itself where no subagent said so. */
  callerOf(key: string): string {
    const lines = this.#lines();
    const calls = lines.flatMap((line) => ("call" in line && line.call === key ? [line.agent] : []));
    const took = lines.filter((line) => "took" in line && line.took === key).length;
    const agent = calls[took];
    if (agent === undefined) return "";
    this.#append({ took: key });
    return agent;
  }

  add(loaded: LoadedSkill): void {
    this.#append({ loaded, agent: this.#agent });
  }

  used(path: string): void {
    if (!this.everLoaded().has(path)) this.#append({ used: path });
  }

  /** The client has shortened it: nothing that was given is in it any more. */
  forget(): void {
    if (this.read().length > 0) this.#append({ forgot: true, agent: this.#agent });
  }

  /** Answers whether that could be noted. */
  noteRefusal(): boolean {
    return this.#append({ refused: true });
  }

  /** Notes by which processes it is served now. */
  servedBy(processes: readonly ClientProcess[]): void {
    const now: z.infer<typeof SERVED> = { client: this.#client, id: this.id, processes: [...processes] };
    const file = this.#file.replace(/jsonl$/, SERVED_ENDING);
    if (lookAtOwn(this.#base, file).kind !== "refused") writeWhole(file, JSON.stringify(now));
  }

  /** A subagent will be started for this. */
  expect(task: string): void {
    this.#append({ task: task.slice(0, MAX_TASK) });
  }

  /** A subagent has begun: answers what it is to do, where the client said so before. */
  begin(agent: string): string | undefined {
    const lines = this.#lines();
    if (lines.some((line) => "began" in line && line.began === agent)) return undefined;
    const tasks = lines.flatMap((line) => ("task" in line ? [line.task] : []));
    const begun = lines.filter((line) => "began" in line).length;
    this.#append({ began: agent });
    return tasks[begun];
  }

  #append(line: Line): boolean {
    if (lookAtOwn(this.#base, this.#file).kind === "refused" || this.#size() > MAX_BYTES) return false;
    const text = `${JSON.stringify(line)}\n`;
    try {
      makeOwnFolder(folderIn(this.#base));
      appendFileSync(this.#file, text, { flag: APPEND as never, mode: 0o600 });
      return true;
    } catch (error) {
      systemCode(error); // A full or read-only disk: then a text may be given twice.
      return false;
    }
  }

  #size(): number {
    return lstatSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }

  #lines(): readonly Line[] {
    const stats = lstatSync(this.#file, { throwIfNoEntry: false, bigint: true });
    const stamp = stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : "";
    if (stamp !== this.#known.stamp) this.#known = { stamp, lines: readLines(this.#base, this.#file) };
    return this.#known.lines;
  }
}

const MAX_TASK = 8_000;
const SERVED_ENDING = "served.json";

const folderIn = (knackFolder: string): string => join(knackFolder, "conversations");

/** A line that somebody else wrote, or that a full disk cut, counts for nothing. */
function readLines(base: string, file: string): Line[] {
  const found = readOwn(base, file, 2 * MAX_BYTES);
  if ("fault" in found) return [];
  return found.bytes
    .toString("utf8")
    .split("\n")
    .flatMap((line) => LINE.safeParse(parseJson(line)).data ?? []);
}

/**
 * The conversation that one process of a client serves, where its hooks named exactly one: of a client that has several at once
 * nobody knows which one a call belongs to.
 */
export function conversationServedBy(
  knackFolder: string,
  client: string,
  process: ClientProcess,
): ConversationFile | undefined {
  const ids = new Set<string>();
  for (const name of fileNames(knackFolder).filter((one) => one.endsWith(SERVED_ENDING))) {
    const found = readOwn(knackFolder, join(folderIn(knackFolder), name), MAX_BYTES);
    if ("fault" in found) continue;
    const served = SERVED.safeParse(parseJson(found.bytes.toString("utf8"))).data;
    const isIts = ({ pid, started }: ClientProcess): boolean =>
      pid === process.pid && started === process.started;
    if (served?.client === client && served.processes.some(isIts)) ids.add(served.id);
  }
  const [id] = ids;
  return id === undefined || ids.size > 1 ? undefined : new ConversationFile(knackFolder, client, id);
}

/** Removes what nobody goes on with. */
export function forgetOldConversations(knackFolder: string, now = Date.now()): void {
  for (const name of fileNames(knackFolder)) {
    const file = join(folderIn(knackFolder), name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats && now - stats.mtimeMs > KEEP_MS) removeQuietly(file);
  }
}

function fileNames(knackFolder: string): string[] {
  try {
    const names = readdirSync(folderIn(knackFolder));
    return names.filter((name) => /^[0-9a-f]{32}\.(?:jsonl|served\.json)$/.test(name)).slice(0, MAX_FILES);
  } catch (error) {
    systemCode(error);
    return []; // No hook has written one yet.
  }
}
