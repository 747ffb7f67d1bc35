import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { SkillMetadata } from "../../skill/schema.ts";
import type { BuiltSkills } from "./index-builder.ts";

export interface SkillFile extends Pick<SkillMetadata, "name" | "dir" | "description"> {
  readonly file: string;
}

export interface ReadWork {
  readonly skills: readonly SkillFile[];
  readonly state: Int32Array;
  readonly port: MessagePort;
}

const WAITING = 0;
export const BEGUN = 1;
export const ENDED = 2;
/** A thread that has not begun by then does not begin at all. */
const BEGIN_MS = 3_000;

/**
 * Reads skills in another thread while this one reads others. The answer waits for the thread without the event loop, because
 * a search is synchronous; `null` if the thread did not do it.
 */
export function readInThread(skills: readonly SkillFile[]): () => BuiltSkills | null {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const work: ReadWork = { skills, state, port: port2 };
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
  const started = performance.now();
  const worker = new Worker(new URL(`./read-worker${extension}`, import.meta.url), {
    workerData: work,
    transferList: [port2],
    stderr: true,
  });
  worker.unref();
  worker.on("error", (error) => process.emitWarning(`A thread of the search index failed: ${error.message}`));
  return () => {
    // It has as much to do as this thread had in the meantime; one that was ended by the system never says so.
    const patience = 10 * (performance.now() - started) + BEGIN_MS;
    if (Atomics.load(state, 0) === WAITING) Atomics.wait(state, 0, WAITING, BEGIN_MS);
    if (Atomics.load(state, 0) === BEGUN) Atomics.wait(state, 0, BEGUN, patience);
    const received = receiveMessageOnPort(port1);
    port1.close();
    if (!received) void worker.terminate();
    return (received?.message as BuiltSkills | undefined) ?? null;
  };
}
