import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { SkillMetadata } from "../../skill/schema.ts";
import { type BuiltSkills, Renumbering } from "./built-skills.ts";

export interface SkillFile extends Pick<SkillMetadata, "name" | "dir" | "description"> {
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
export class ReadingThread {
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
