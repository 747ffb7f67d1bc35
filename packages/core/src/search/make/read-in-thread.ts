import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { SkillMetadata } from "../../skill/schema.ts";
import type { BuiltSkills } from "./built-skills.ts";

export interface SkillFile extends Pick<SkillMetadata, "name" | "dir" | "description"> {
  readonly file: string;
}

export interface ReadWork {
  /** See `NEXT` and `EVENTS`. */
  readonly shared: Int32Array;
  /** Has the skills of each chunk in order, and gets a `ReadChunk` for each that the thread has read. */
  readonly port: MessagePort;
  readonly names: Uint32Array;
}

/** What the thread read; its words are numbered in the order in which it first sent them. */
export interface ReadChunk {
  readonly chunk: number;
  readonly words: readonly string[];
  readonly built: BuiltSkills;
}

/** The places in the shared array: the next chunk that nobody has taken, and how often a thread began, answered or ended. */
export const NEXT = 0;
export const EVENTS = 1;

/** Takes the next chunk of skills. */
export function nextChunk(shared: Int32Array): number {
  return Atomics.add(shared, NEXT, 1);
}

/** A thread that reads chunks of skills while this one reads others. Its answers are taken without the event loop. */
export class ReadingThread {
  readonly #port: MessagePort;
  readonly #worker: Worker;

  constructor(chunks: readonly (readonly SkillFile[])[], names: Uint32Array, shared: Int32Array) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
    this.#worker = new Worker(new URL(`./read-worker${extension}`, import.meta.url), {
      workerData: { shared, port: port2, names } satisfies ReadWork,
      transferList: [port2],
      stderr: true,
    });
    this.#worker.unref();
    this.#worker.on("error", (error) =>
      process.emitWarning(`A thread of the search index failed: ${error.message}`),
    );
    for (const chunk of chunks) port1.postMessage(chunk);
  }

  /** The next answer, if there is one. */
  receive(): ReadChunk | undefined {
    return receiveMessageOnPort(this.#port)?.message as ReadChunk | undefined;
  }

  end(): void {
    this.#port.close();
    void this.#worker.terminate();
  }
}
