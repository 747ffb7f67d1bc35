import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { systemCode } from "../../shared/errors.ts";
import { findProgram } from "../../shared/process/find-program.ts";
import { askToEnd, endTree } from "../../shared/process/process-tree.ts";
import { quote } from "../../shared/quote.ts";
import { traceEnvironment } from "../../shared/telemetry.ts";
import { commandFor, isBatchFile, MARK, type Runner, runnerEnvironment } from "./runner.ts";

/** How a runner ended. Exit code, signal and time limit are distinct; `error` says why it did not start. */
export interface RunnerResult {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly timed_out: boolean;
  readonly error?: string;
}

export interface RunFrameOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Gets what the runner prints, as it comes. A throw ends the runner and is thrown on. */
  readonly onOutput?: ((stream: "stdout" | "stderr", bytes: Buffer) => void) | undefined;
}

/** How long a runner that is asked to end may take, and how long its last words. */
const GRACE_MS = 2_000;
const LAST_WORDS_MS = 2_000;
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Starts a runner with a frame, without a shell, and returns when it and all that it started have ended. */
export async function runFrame(
  runner: Runner,
  frame: string,
  options: RunFrameOptions,
): Promise<RunnerResult> {
  const { cwd, timeoutMs, signal, onOutput } = options;
  signal?.throwIfAborted();
  const { program, args, input } = commandFor(runner, frame);
  const notStarted = (error: string): RunnerResult => ({
    exit_code: null,
    signal: null,
    timed_out: false,
    error,
  });
  if (isBatchFile(program, process.platform))
    return notStarted(`${quote(program)} is a batch file; name the program that it starts.`);
  const mark = randomUUID();
  const env = runnerEnvironment(options.env);
  // Not left to the system: a relative entry of the PATH would let a project bring the program.
  const file = /[/\\]/.test(program) ? program : findProgram(program, env);
  if (file === undefined) return notStarted(noProgram(program));
  env[MARK] = env[MARK] ? `${env[MARK]}:${mark}` : mark;
  Object.assign(env, traceEnvironment());
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      argv0: program,
      cwd,
      env,
      shell: false,
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: [input === null ? "ignore" : "pipe", "pipe", "pipe"],
    });
    await started(child);
  } catch (error) {
    return notStarted(whyNotStarted(program, frame, input, error));
  }

  let hasEnded = false;
  const tree = {
    pid: child.pid ?? 0,
    hasEnded: () => hasEnded,
    mark: { variable: MARK, value: mark },
  };
  let isTimedOut = false;
  let thrown: { readonly error: unknown } | undefined;
  let kill: NodeJS.Timeout | undefined;
  const end = (): void => {
    if (hasEnded || kill) return;
    askToEnd(tree.pid);
    kill = setTimeout(() => void endTree(tree), GRACE_MS);
  };
  const limit = setTimeout(
    () => {
      isTimedOut = true;
      end();
    },
    Math.min(timeoutMs, MAX_TIMEOUT_MS),
  );
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();

  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.on("data", (bytes: Buffer) => {
      if (thrown) return;
      try {
        onOutput?.(stream, bytes);
      } catch (error) {
        thrown = { error };
        end();
      }
    });
    child[stream]?.on("error", () => {}); // Broken with the process whose end is told below.
  }
  child.stdin?.on("error", () => {}); // A runner need not read what it is given.
  child.stdin?.end(input);

  const closed = new Promise<void>((done) => child.once("close", () => done()));
  const [exitCode, exitSignal] = await new Promise<[number | null, string | null]>((done) =>
    child.once("exit", (code, by) => done([code, by])),
  );
  hasEnded = true;
  clearTimeout(limit);
  clearTimeout(kill);
  signal?.removeEventListener("abort", end);
  await endTree(tree);
  // Something that got away may hold the pipes open for ever.
  const giveUp = setTimeout(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, LAST_WORDS_MS);
  await closed;
  clearTimeout(giveUp);
  if (thrown) throw thrown.error;
  signal?.throwIfAborted();
  return { exit_code: exitCode, signal: exitSignal, timed_out: isTimedOut };
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    child.once("spawn", done);
    child.once("error", fail);
  });
}

function noProgram(program: string): string {
  return `There is no program ${quote(program)} to run (ENOENT), or its folder is gone.`;
}

function whyNotStarted(program: string, frame: string, input: string | null, error: unknown): string {
  const name = quote(program);
  const code = systemCode(error);
  if (code === "ENOENT") return noProgram(program);
  if (code === "E2BIG")
    return `The frame has ${Buffer.byteLength(frame)} bytes, more than the system accepts as an argument; use a runner that reads standard input, without $(cat).`;
  if (code === "ERR_INVALID_ARG_VALUE" && input === null)
    return "The frame contains a zero byte, which an argument cannot; use a runner that reads standard input, without $(cat).";
  return `${name} cannot be started (${code}).`;
}
