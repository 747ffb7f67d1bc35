import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { SkillMetadata } from "../../skill/schema.ts";
import { type BuiltSkills, type IndexBuilder, Renumbering } from "./index-builder.ts";
import type { Beside } from "./skill-files.ts";

interface SkillFile extends Pick<SkillMetadata, "name" | "dir" | "description"> {
  readonly file: string;
}

export interface ReadWork {
  /** See `POSTED` and `EVENTS`. */
  readonly shared: Int32Array;
  readonly port: MessagePort;
  readonly names: Uint32Array;
}

/** Skills that the thread is to read. */
export interface ChunkToRead {
  readonly chunk: number;
  readonly skills: readonly SkillFile[];
}

/** What the thread read. Its words are numbered in the order in which it first sent them, from 0 again if `isFirst`. */
export interface ReadChunk {
  readonly chunk: number;
  readonly isFirst: boolean;
  readonly words: readonly string[];
  readonly built: BuiltSkills;
}

/** The places in the shared array: how many messages the threads got, and how often one of them answered or ended. */
export const POSTED = 0;
export const EVENTS = 1;

export function count(shared: Int32Array, what: number): void {
  Atomics.add(shared, what, 1);
  Atomics.notify(shared, what);
}

/** A thread that reads chunks of skills while this one reads others. Its answers are taken without the event loop. */
class ReadingThread {
  readonly #shared: Int32Array;
  readonly #port: MessagePort;
  readonly #worker: Worker;
  readonly #renumbering = new Renumbering();
  /** Chunks that it was given and has not answered. */
  waiting = 0;

  constructor(names: Uint32Array, shared: Int32Array) {
    const { port1, port2 } = new MessageChannel();
    this.#shared = shared;
    this.#port = port1;
    const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
    this.#worker = new Worker(new URL(`./read-worker${extension}`, import.meta.url), {
      workerData: { shared, port: port2, names } satisfies ReadWork,
      transferList: [port2],
      stderr: true,
      // Nearly everything that it makes is garbage a moment later.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    this.#worker.unref();
    this.#worker.on("error", (error) =>
      process.emitWarning(`A thread of the search index failed: ${error.message}`),
    );
  }

  give(chunk: ChunkToRead): void {
    this.#port.postMessage(chunk);
    count(this.#shared, POSTED);
    this.waiting++;
  }

  /** The next answer, if there is one, with this thread's numbers of words. */
  receive(numberOf: (word: string) => number): { chunk: number; built: BuiltSkills } | undefined {
    const answer = receiveMessageOnPort(this.#port)?.message as ReadChunk | undefined;
    if (!answer) return;
    this.waiting--;
    if (answer.isFirst) this.#renumbering.restart();
    for (const word of answer.words) this.#renumbering.add(numberOf(word));
    return { chunk: answer.chunk, built: this.#renumbering.renumber(answer.built) };
  }

  /** Lets the thread end by itself, which frees its memory at once; one that still has something to read is ended. */
  end(): void {
    if (this.waiting > 0) void this.#worker.terminate();
    this.#port.postMessage(null);
    count(this.#shared, POSTED);
    this.#port.close();
  }
}

export interface SkillToIndex extends Pick<SkillMetadata, "name" | "dir" | "description"> {
  /** Changes when the skill does; `KEY` bytes in hexadecimal. */
  readonly key: string;
  readonly body: () => string;
  readonly beside: () => Beside;
  /** Where the body is, if another thread can read it. */
  readonly file?: string;
}

/** For fewer skills a thread is not worth its start. */
const MANY_SKILLS = 500;
/** Skills that a thread reads at a time. */
const CHUNK = 32;
/** More threads would wait for this one, which puts together what they read. */
const MAX_THREADS = 3;
/** Chunks that wait for a thread, so that it always has something to do. */
const AHEAD = 3;
/** A thread that says nothing for so long has ended. */
const PATIENCE_MS = 5_000;

/**
 * Reads skills, in several threads if there are many. The search that waits for this is synchronous, so nothing here needs the
 * event loop.
 */
export function readSkills(
  skills: readonly SkillToIndex[],
  builder: IndexBuilder,
  names: ReadonlySet<number>,
  onProgress: (done: number) => void,
): BuiltSkills[] {
  const built: (BuiltSkills | undefined)[] = Array.from({ length: Math.ceil(skills.length / CHUNK) });
  const skillsOf = (chunk: number): readonly SkillToIndex[] =>
    skills.slice(chunk * CHUNK, (chunk + 1) * CHUNK);
  const numberOf = (word: string): number => builder.numberOf(word);
  let done = 0;
  const put = (chunk: number, of: BuiltSkills): void => {
    built[chunk] = of;
    done += of.sequenceLengths.length;
    onProgress(done);
  };
  const read = (chunk: number): void => {
    for (const { name, dir, description, body, beside } of skillsOf(chunk))
      builder.add({ name, folder: basename(dir), description, body: body() }, beside());
    put(chunk, builder.take());
  };
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const threads = startThreads(skills, names, shared);
  const receive = (): void => {
    for (const thread of threads)
      for (let one = thread.receive(numberOf); one; one = thread.receive(numberOf)) put(one.chunk, one.built);
  };
  for (let next = 0; next < built.length; ) {
    for (const thread of threads)
      for (; thread.waiting < AHEAD && next < built.length; next++)
        thread.give({ chunk: next, skills: skillsOf(next).map(fileOf) });
    if (next < built.length) read(next++);
    receive();
  }
  while (threads.some(({ waiting }) => waiting > 0)) {
    const events = Atomics.load(shared, EVENTS);
    receive();
    if (done === skills.length || Atomics.wait(shared, EVENTS, events, PATIENCE_MS) === "timed-out") break;
  }
  for (const thread of threads) thread.end();
  // What a thread did not finish.
  for (const chunk of built.keys()) if (!built[chunk]) read(chunk);
  return built as BuiltSkills[];
}

/** What can be sent to another thread. */
function fileOf({ name, dir, description, file = "" }: SkillToIndex): SkillFile {
  return { name, dir, description, file };
}

function startThreads(
  skills: readonly SkillToIndex[],
  names: ReadonlySet<number>,
  shared: Int32Array,
): ReadingThread[] {
  const count = Math.min(MAX_THREADS, availableParallelism() - 1);
  if (skills.length < MANY_SKILLS || count === 0) return [];
  if (skills.some(({ file }) => file === undefined)) return [];
  const marks = Uint32Array.from(names);
  return Array.from({ length: count }, () => new ReadingThread(marks, shared));
}
