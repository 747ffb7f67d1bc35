import { join } from "node:path";
import { workerData } from "node:worker_threads";
import "../use-built-guest.ts";
import { type Call, ENDED, IDLE, type Returned, type ThreadData } from "./call-program.ts";

/** The program in a long-lived thread: it is loaded once, and each call sees it like a new process. */

const { run } = await import("../../packages/knack/src/cli/program.ts");

const { port, state } = workerData as ThreadData;
const PROGRAM = join(import.meta.dirname, "../../packages/knack/bin/knack.js");
const ENDS = ["beforeExit", "SIGINT", "SIGTERM", "SIGHUP"] as const;

process.on("exit", () => {
  Atomics.store(state, 0, ENDED);
  Atomics.notify(state, 0);
});

port.on("message", async ({ argv, env }: Call) => {
  const written: Record<1 | 2, Uint8Array[]> = { 1: [], 2: [] };
  process.env = { ...env };
  process.argv = [process.execPath, PROGRAM, ...argv];
  process.exitCode = undefined;
  await run(argv, {
    isTerminal: () => false,
    write: (fd, bytes) => written[fd].push(Buffer.from(bytes)) > 0,
  });
  for (const end of process.listeners("beforeExit")) await end(0);
  for (const event of ENDS) process.removeAllListeners(event);
  const text = (fd: 1 | 2): string => Buffer.concat(written[fd]).toString("utf8");
  const returned: Returned = { code: Number(process.exitCode ?? 0), stdout: text(1), stderr: text(2) };
  port.postMessage(returned);
  Atomics.store(state, 0, IDLE);
  Atomics.notify(state, 0);
});
