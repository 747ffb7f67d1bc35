import { type ChildProcess, type IOType, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Duplex, Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { endTree, type ProcessTree } from "@knack/core/process";
import { BoundedLog, encodeRequest, type Frame, FrameReader, lineTeller } from "./channel.ts";
import type { IsolatedCommand } from "./command.ts";
import {
  type Execution,
  type ExecutionOutcome,
  failed,
  LAST_BYTES_MS,
  MARK,
  type ProcessLimits,
  signalOf,
} from "./execution.ts";
import { watchUsage } from "./usage.ts";

const LOAD_LIMIT_MS = 5000;
const FOREIGN = "the skill wrote something other than the result to descriptor 3, the channel for the result";
/** Room for an error message of the loader, even if the result limit is small. */
const MESSAGE_BYTES = 16 * 1024;
/** How long a cancelled function may clean up after `signal` aborts. */
const GRACE_MS = 200;

interface Supervised {
  readonly command: IsolatedCommand;
  readonly request: { readonly nonce: string };
  /** Descriptors of this process that the child must not get. */
  readonly inherited: readonly number[];
  readonly mark: string | null;
  readonly artifactsDir: string;
  readonly limits: ProcessLimits;
  readonly signal: Execution["signal"];
  readonly onLog: Execution["onLog"];
}

/** Starts the process, reads its messages, ends it with all its descendants, and returns when they have exited. */
export async function supervise(run: Supervised): Promise<{ outcome: ExecutionOutcome; log: string }> {
  const log = new BoundedLog(run.limits.maxLogBytes);
  let child: ChildProcess;
  try {
    child = start(run);
  } catch (error) {
    return { outcome: failed("SKILL_FAILED", `could not be started: ${(error as Error).message}`), log: "" };
  }
  const after = (event: "exit" | "close"): Promise<void> =>
    new Promise((done) => child.once(event, () => done()).once("error", () => done()));
  const [ended, closed] = [after("exit"), after("close")];
  const info = run.mark === null ? namespaceOf(child.stdio[4] as Readable | null) : null;
  const tree: ProcessTree = {
    pid: child.pid ?? 0,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    namespace: () => info?.value() ?? null,
    mark: run.mark === null ? null : { variable: MARK, value: run.mark },
  };

  captureOutput(child, log, run);
  const outcome = await outcomeOf(run, child, tree, log);
  if (child.pid !== undefined) {
    const channel = child.stdio[3] as Duplex;
    channel.end();
    if (!outcome.ok && (outcome.code === "SKILL_TIMEOUT" || outcome.code === "SKILL_INTERRUPTED"))
      await Promise.race([ended, atMost(GRACE_MS)]);
    if (info !== null) await Promise.race([info.complete, ended, atMost(1000)]);
    await endTree(tree);
    await Promise.race([closed, atMost(LAST_BYTES_MS)]);
    for (const stream of child.stdio) stream?.destroy();
  }
  return { outcome, log: log.text() };
}

/** Does not keep the program alive: what it limits is over most of the time, and `knack run` has nothing else to do then. */
const atMost = (ms: number): Promise<void> => wait(ms, undefined, { ref: false });

/** Standard output, standard error and the channel; with bubblewrap also its status and the system call filter. */
function start({ command, inherited, mark }: Supervised): ChildProcess {
  const { program, args, env, cwd, filter } = command;
  const stdio: (IOType | number)[] = ["ignore", "pipe", "pipe", "pipe"];
  if (mark === null) stdio.push("pipe");
  if (filter !== null) stdio.push("pipe");
  // Node cannot close inherited descriptors, but it can replace them with harmless ones, which the loader then closes.
  const nothing = inherited.length > 0 ? openSync("/dev/null", "r") : null;
  try {
    for (const descriptor of inherited) {
      if (descriptor < stdio.length || nothing === null) continue;
      while (stdio.length < descriptor) stdio.push("ignore");
      stdio.push(nothing);
    }
    const options = { env, cwd, stdio, detached: process.platform !== "win32", windowsHide: true };
    const child = spawn(program, args, options);
    const toBubblewrap = filter === null ? null : (child.stdio.at(5) as Writable | undefined);
    // If it ends before it reads the filter, its exit reports that.
    toBubblewrap?.on("error", () => {}).end(filter);
    return child;
  } finally {
    if (nothing !== null) closeSync(nothing);
  }
}

function captureOutput(child: ChildProcess, log: BoundedLog, run: Supervised): void {
  for (const stream of [child.stdout, child.stderr]) {
    const tell = run.onLog && lineTeller(run.limits.maxLogBytes, run.onLog);
    stream?.on("data", (chunk: Buffer) => {
      log.push(chunk);
      tell?.(chunk);
    });
    stream?.on("end", () => tell?.(null));
    stream?.on("error", () => {});
  }
}

/** Settles on the first of: a result, an exit, a limit, a cancellation. */
function outcomeOf(run: Supervised, child: ChildProcess, tree: ProcessTree, log: BoundedLog) {
  return new Promise<ExecutionOutcome>((resolve) => {
    const { limits } = run;
    const releases: (() => void)[] = [];
    let settled = false;
    const settle = (outcome: ExecutionOutcome): void => {
      settled = true;
      for (const release of releases) release();
      resolve(outcome);
    };
    const after = (milliseconds: number, decide: () => void): void => {
      const timer = setTimeout(decide, milliseconds);
      releases.push(() => clearTimeout(timer));
    };

    child.once("error", (error) => settle(failed("SKILL_FAILED", `could not be started: ${error.message}`)));
    const channel = child.stdio?.[3] as Duplex | undefined;
    if (child.pid === undefined || channel === undefined) return;

    let stage: Stage = "starting";
    const reader = new FrameReader(run.request.nonce, Math.max(limits.maxResultBytes, MESSAGE_BYTES));
    const hear = ({ kind, payload }: Frame): void => {
      if (kind === "R") settle(resultOf(payload, limits));
      else if (kind === "T") settle(failed("SKILL_FAILED", payload));
      else if (kind === "U") settle(failed("SKILL_BAD_OUTPUT", payload));
      else if (kind === "L") stage = "running";
      else if (kind === "B") {
        stage = "loading";
        // Not earlier: while a sandbox is being set up it still sees the machine's /proc.
        releases.push(
          watchUsage(tree, run.artifactsDir, limits, (over) => settle(failed("SKILL_FAILED", over))),
        );
        after(LOAD_LIMIT_MS, () => {
          if (stage === "loading")
            settle(failed("SKILL_FAILED", `could not be loaded within ${LOAD_LIMIT_MS / 1000} s`));
        });
      }
    };
    channel.on("data", (chunk: Buffer) => {
      if (settled) return;
      for (const frame of reader.push(chunk)) hear(frame);
      if (reader.fault === "too large") settle(tooLarge(limits));
      else if (reader.fault === "foreign") settle(failed("SKILL_BAD_OUTPUT", FOREIGN));
    });
    // The process may exit before it reads its request; its exit reports that.
    channel.on("error", () => {});
    channel.write(encodeRequest(run.request));

    child.once("exit", (code, signal) => {
      if (settled) return;
      const tell = (): void =>
        settle(failed("SKILL_FAILED", endMessage(stage, code, signal, log.text(), limits)));
      // Its last output may still be on its way, but a descendant could hold the channel open for ever.
      if (channel.closed) return tell();
      channel.once("close", tell);
      after(LAST_BYTES_MS, tell);
    });
    after(limits.timeoutMs, () =>
      settle(failed("SKILL_TIMEOUT", `timed out after ${limits.timeoutMs / 1000} s`)),
    );
    const cancel = (): void => settle(failed("SKILL_INTERRUPTED", "was cancelled"));
    run.signal?.addEventListener("abort", cancel, { once: true });
    releases.push(() => run.signal?.removeEventListener("abort", cancel));
    if (run.signal?.aborted) cancel();
  });
}

function tooLarge(limits: ProcessLimits): ExecutionOutcome {
  return failed("SKILL_BAD_OUTPUT", `the result has more than ${limits.maxResultBytes} bytes`);
}

function resultOf(payload: string, limits: ProcessLimits): ExecutionOutcome {
  if (Buffer.byteLength(payload) > limits.maxResultBytes) return tooLarge(limits);
  try {
    return { ok: true, output: JSON.parse(payload) };
  } catch {
    return failed("SKILL_BAD_OUTPUT", "the result is not JSON");
  }
}

/** The first process of the sandbox and its pid namespace, once reported; `complete` settles when no more is reported. */
function namespaceOf(stream: Readable | null) {
  let text = "";
  stream?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  stream?.on("error", () => {});
  const complete = new Promise<void>((done) => {
    if (stream === null) done();
    stream?.once("close", () => done());
    stream?.once("end", () => done());
  });
  const value: NonNullable<ProcessTree["namespace"]> = () => {
    const init = /"child-pid":\s*(\d+)/.exec(text)?.[1];
    const id = /"pid-namespace":\s*(\d+)/.exec(text)?.[1];
    return init === undefined || id === undefined ? null : { init: Number(init), id: Number(id) };
  };
  return { complete, value };
}

type Stage = "starting" | "loading" | "running";

function endMessage(
  stage: Stage,
  code: number | null,
  signal: NodeJS.Signals | null,
  log: string,
  limits: ProcessLimits,
): string {
  const last = log.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
  if (/out of memory/i.test(log) && code !== 0) return `ran out of memory (limit: ${limits.memoryMb} MB)`;
  if (stage === "starting") return `could not be started${last === "" ? "" : `: ${last}`}`;
  const named = signalOf(code, signal);
  const how = named ? `crashed (${named})` : `exited with code ${code}`;
  return `${how} ${stage === "loading" ? "while it was loading" : "before it returned a result"}`;
}
