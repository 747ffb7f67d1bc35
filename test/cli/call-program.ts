import { join } from "node:path";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";

export interface Call {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface Returned {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ThreadData {
  readonly port: MessagePort;
  /** One of the three states below. */
  readonly state: Int32Array<SharedArrayBuffer>;
}

export const IDLE = 0;
const BUSY = 1;
export const ENDED = 2;

/** Shared by the test files of one process. */
let thread: ({ readonly worker: Worker } & ThreadData) | undefined;

/**
 * Calls the program in a thread of this process and waits: this takes a tenth of the time of a process. Standard input, the
 * terminal, signals and exits need a real process: see `program`.
 */
export function callProgram({ cwd, timeout, ...call }: Call & { cwd: string; timeout: number }): Returned {
  thread ??= startThread();
  const { worker, port, state } = thread;
  const folder = process.cwd();
  // Threads share the working directory of their process, and only the main one can change it.
  process.chdir(cwd);
  try {
    const before = Atomics.compareExchange(state, 0, IDLE, BUSY);
    port.postMessage(call);
    if (before === IDLE) Atomics.wait(state, 0, BUSY, timeout);
    if (Atomics.load(state, 0) === IDLE) return receiveMessageOnPort(port)?.message;
    const how =
      Atomics.load(state, 0) === ENDED ? "ended its process" : `did not return within ${timeout} ms`;
    void worker.terminate();
    thread = undefined;
    throw new Error(`knack ${call.argv.join(" ")} ${how}.`);
  } finally {
    process.chdir(folder);
  }
}

function startThread(): NonNullable<typeof thread> {
  const { port1: port, port2 } = new MessageChannel();
  const state = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(join(import.meta.dirname, "program-thread.ts"), {
    workerData: { port: port2, state },
    transferList: [port2],
    execArgv: ["--conditions=knack-source", "--disable-warning=ExperimentalWarning"],
  });
  worker.unref();
  port.unref();
  return { worker, port, state };
}
