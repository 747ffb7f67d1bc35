import { hash, randomUUID } from "node:crypto";
import { appendFileSync, constants, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { systemCode } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";
import { lookAtOwn, readOwn } from "../shared/own-file.ts";
import { makeOwnFolder, removeQuietly, writeWhole } from "../shared/write-whole.ts";
import { type LoadedSkill, loadedSkillSchema, type SharedLoads } from "./loaded-skills.ts";

/**
 * What every process that serves one conversation knows of it: its server and its hooks. One appended line an event, so
 * nobody waits. It is a memory and grants nothing.
 */
const PROCESS = z.strictObject({ pid: z.int(), started: z.string() });
const LINE = z
  .strictObject({
    /** Whose line it is: of the conversation itself, or of a subagent. */
    agent: z.string(),
    loaded: loadedSkillSchema,
    /** Which process noted it, where two did at the same moment: the first line counts. */
    claim: z.string(),
    /** The client has shortened the conversation. */
    forgot: z.literal(true),
    /** What it has lost is given with the next prompt; and then it was. */
    later: z.literal(true),
    returned: z.literal(true),
    /** Given by a server that did not know the conversation. */
    used: z.string(),
    /** What a subagent will be asked to do. */
    task: z.string(),
    began: z.string(),
    /** The next call of one of Knack's tools, and which subagent makes it. */
    call: z.string(),
    took: z.string(),
    refused: z.literal(true),
    /** A skill that must be confirmed, where nobody could be asked. */
    unasked: z.string(),
    /** The agent has answered. */
    turn: z.literal(true),
  })
  .partial();
type Line = z.infer<typeof LINE>;
/** In a file of its own: the client's processes, by which a server finds its conversation. */
const SERVED = z.strictObject({ client: z.string(), id: z.string(), processes: z.array(PROCESS) });
export type ClientProcess = z.infer<typeof PROCESS>;

/** Then nothing more is noted, and a text may be given twice. */
const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 2_000;
const KEEP_MS = 30 * 86_400_000;
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

/** One conversation, or that of one subagent in it (`agent`; `""` is the conversation itself). */
export class ConversationFile implements SharedLoads {
  readonly #base: string;
  readonly #file: string;
  readonly #client: string;
  readonly id: string;
  readonly #agent: string;
  #known: { readonly stamp: string; readonly lines: readonly Line[] } = { stamp: "", lines: [] };

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

  of(agent: string): ConversationFile {
    return new ConversationFile(this.#base, this.#client, this.id, agent);
  }

  /** What it was given and still has. */
  read(): readonly LoadedSkill[] {
    return this.#own().flatMap(({ loaded }) => loaded ?? []);
  }

  #own(): readonly Line[] {
    const own = this.#lines().filter(({ agent }) => agent === this.#agent);
    return own.slice(own.findLastIndex(({ forgot }) => forgot) + 1);
  }

  /** Paths of everything that it or a subagent was ever given. */
  everLoaded(): ReadonlySet<string> {
    return new Set(this.#lines().flatMap(({ loaded, used }) => loaded?.path ?? used ?? []));
  }

  /** Whether a gate waits for one of these skills in vain: it must be confirmed, and nobody could be asked. */
  wasUnasked(paths: readonly string[]): boolean {
    return this.#lines().some(({ unasked }) => unasked !== undefined && paths.includes(unasked));
  }

  nobodyAllowed(path: string): void {
    if (!this.wasUnasked([path])) this.#append({ unasked: path });
  }

  /** The path of the skill given last in this turn. */
  activePath(): string | undefined {
    return this.#sinceTurn().findLast(({ loaded, agent }) => loaded && agent === this.#agent)?.loaded?.path;
  }

  /** What was loaded is no longer active. */
  endTurn(): void {
    if (this.#sinceTurn().some(({ loaded }) => loaded)) this.#append({ turn: true });
  }

  #sinceTurn(): readonly Line[] {
    const lines = this.#lines();
    return lines.slice(lines.findLastIndex(({ turn }) => turn) + 1);
  }

  /** A shared server cannot tell which subagent makes a call. */
  willCall(key: string): void {
    this.#append({ call: key, agent: this.#agent });
  }

  /** Empty: the conversation itself. */
  callerOf(key: string): string {
    const lines = this.#lines();
    const taken = lines.filter(({ took }) => took === key).length;
    const next = lines.filter(({ call }) => call === key)[taken];
    if (next) this.#append({ took: key });
    return next?.agent ?? "";
  }

  /** Whether nobody has given it before; also where nothing can be noted. */
  claim(loaded: LoadedSkill): boolean {
    const claim = randomUUID();
    this.#append({ loaded, agent: this.#agent, claim });
    const first = this.#own().find((line) => line.loaded?.ref === loaded.ref);
    return first === undefined || first.claim === claim;
  }

  used(path: string): void {
    if (!this.everLoaded().has(path)) this.#append({ used: path });
  }

  /** After the client has shortened it; with `later`, what it has lost waits for `takeLost`. */
  forget(given: { readonly later?: true } = {}): void {
    if (this.read().length > 0) this.#append({ forgot: true, ...given, agent: this.#agent });
  }

  /** What it has lost and can have again now, once. */
  takeLost(): readonly LoadedSkill[] {
    const own = this.#lines().filter(({ agent }) => agent === this.#agent);
    const at = own.findLastIndex(({ later }) => later);
    if (at < 0 || own.slice(at).some(({ returned }) => returned)) return [];
    this.#append({ returned: true, agent: this.#agent });
    const since = own.slice(0, at).findLastIndex(({ forgot }) => forgot) + 1;
    return own.slice(since, at).flatMap(({ loaded }) => loaded ?? []);
  }

  noteRefusal(): boolean {
    return this.#append({ refused: true });
  }

  servedBy(processes: readonly ClientProcess[]): void {
    const now: z.infer<typeof SERVED> = { client: this.#client, id: this.id, processes: [...processes] };
    const file = this.#file.replace(/jsonl$/, SERVED_ENDING);
    if (lookAtOwn(this.#base, file).kind !== "refused") writeWhole(file, JSON.stringify(now));
  }

  expect(task: string): void {
    this.#append({ task: task.slice(0, MAX_TASK) });
  }

  /** Answers what the subagent is to do, where the client said so. */
  begin(agent: string): string | undefined {
    const lines = this.#lines();
    if (lines.some(({ began }) => began === agent)) return undefined;
    const tasks = lines.flatMap(({ task }) => task ?? []);
    this.#append({ began: agent });
    // Several may begin at the same moment.
    const begun = this.#lines().flatMap(({ began }) => began ?? []);
    return tasks[begun.indexOf(agent)];
  }

  #append(line: Line): boolean {
    if (lookAtOwn(this.#base, this.#file).kind === "refused" || this.#size() > MAX_BYTES) return false;
    // Where a process was cut off in the middle of its line, this one is whole.
    const text = `\n${JSON.stringify(line)}\n`;
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

/** Lines that were cut or written by others do not count. */
function readLines(base: string, file: string): Line[] {
  const found = readOwn(base, file, 2 * MAX_BYTES);
  if ("fault" in found) return [];
  return found.bytes
    .toString("utf8")
    .split("\n")
    .flatMap((line) => LINE.safeParse(parseJson(line)).data ?? []);
}

/** The one conversation that a client's process serves; `undefined` if there are several: a call could be of any. */
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

/** Each client of a named token can begin as many as it likes: so that they do not fill the disk, the oldest give way. */
export function forgetOldConversations(knackFolder: string, now = Date.now()): void {
  const files = fileNames(knackFolder).map((name) => join(folderIn(knackFolder), name));
  const at = new Map(files.map((file) => [file, lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0]));
  const newestFirst = files.toSorted((a, b) => (at.get(b) ?? 0) - (at.get(a) ?? 0));
  for (const [place, file] of newestFirst.entries())
    if (place >= MAX_FILES || now - (at.get(file) ?? 0) > KEEP_MS) removeQuietly(file);
}

function fileNames(knackFolder: string): string[] {
  try {
    const names = readdirSync(folderIn(knackFolder));
    return names.filter((name) => /^[0-9a-f]{32}\.(?:jsonl|served\.json)$/.test(name));
  } catch (error) {
    systemCode(error);
    return []; // No hook has written one yet.
  }
}
