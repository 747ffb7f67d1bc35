import { Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { BUILTIN_SKILLS } from "../../builtin/index.ts";
import { encodeFrame, type FrameKind } from "../channel.ts";
import type { GuestRequest, GuestStart } from "./guest-command.ts";

/** The watchdog of a guest, a thread because a parser is busy. A string: it works from source, the package and the bundle. */
const GUEST_WATCH = `
const { writeSync } = require("node:fs");
const { workerData } = require("node:worker_threads");
const { host, maxBytes, overMemory, busy } = workerData;

for (;;) {
  // Zero while idle, when it is enough to check now and then.
  Atomics.wait(busy, 0, 0, 500);
  if (busy[0] === 1) Atomics.wait(busy, 0, 1, 10);
  const isOver = busy[0] === 1 && process.memoryUsage.rss() > maxBytes;
  if (!isOver && (process.platform === "win32" || process.ppid === host)) continue;
  try {
    if (isOver) writeSync(3, overMemory);
  } finally {
    process.kill(process.pid, "SIGKILL");
  }
}
`;

/** A built-in skill parses an untrusted file here, in a process for one request: nothing remains for the next. */
const start: GuestStart = JSON.parse(process.argv[2] ?? "");
const busy = new Int32Array(new SharedArrayBuffer(4));
const channel = new Socket({ fd: 3, readable: true, writable: true });

function send(kind: FrameKind, payload: string): void {
  channel.write(encodeFrame(start.nonce, kind, payload));
}

let isWatched = false;
function watch(): void {
  if (isWatched) return;
  isWatched = true;
  const { host, maxBytes, nonce } = start;
  new Worker(GUEST_WATCH, {
    eval: true,
    env: {},
    workerData: { host, maxBytes, overMemory: encodeFrame(nonce, "M", ""), busy },
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 },
  });
}

// The host has exited, or no longer needs this process.
channel.on("error", () => process.exit(1)).on("end", () => process.exit(0));

let received = Buffer.alloc(0);
channel.on("data", (chunk: Buffer) => {
  if (busy[0] === 1) return;
  received = Buffer.concat([received, chunk]);
  if (received.length < 4 || received.length < 4 + received.readUInt32BE(0)) return;
  watch();
  busy[0] = 1;
  Atomics.notify(busy, 0);
  void serve(JSON.parse(received.toString("utf8", 4)));
});

async function serve({ skill, context }: GuestRequest): Promise<void> {
  try {
    const builtin = BUILTIN_SKILLS.get(skill);
    if (!builtin) throw new Error(`there is no built-in skill ${skill}`);
    const { signal } = new AbortController();
    const log = (line: string): void => send("G", line.slice(0, start.maxLogBytes));
    send("R", JSON.stringify(await builtin.run({ ...context, signal, log })));
  } catch (error) {
    send("T", (error instanceof Error ? error.message : String(error)).slice(0, 2000));
  }
}

if (start.preload === "*") watch();
// The reader of PDFs takes longest to load. If it fails, it fails again when it is needed, and is reported then.
if (start.preload === ".pdf" || start.preload === "*")
  import("unpdf").then(({ getResolvedPDFJS }) => getResolvedPDFJS()).catch(() => undefined);
