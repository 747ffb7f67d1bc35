import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Config } from "../../config/config.ts";
import { KnackError, systemCode } from "../../shared/errors.ts";
import { nearest } from "../../shared/nearest.ts";
import { findProgram, loadsForeignCode } from "../../shared/process/find-program.ts";
import { askToEnd, endTree } from "../../shared/process/process-tree.ts";
import { fewOf, quote } from "../../shared/quote.ts";
import { traceEnvironment } from "../../shared/telemetry.ts";
import { MARK, withMark } from "../running-frames.ts";

/** A program that gives frames to a model. */
export interface Runner {
  readonly name: string;
  /** Program and arguments, started as they are. `$(cat)` in one stands for the frame; else it goes to standard input. */
  readonly argv: readonly string[];
}

/** Agents that read a prompt from standard input and end when they have answered it. */
const PRESETS: Readonly<Record<string, readonly string[]>> = {
  claude: ["claude", "-p"],
  codex: ["codex", "exec", "-"],
  gemini: ["gemini"],
  opencode: ["opencode", "run"],
};

interface RunnerWanted {
  /** A name: of the configuration's `runners`, or a preset. */
  readonly name?: string | undefined;
  /** A command line, split into words once. */
  readonly command?: string | undefined;
}

/** `undefined` where none is configured: then the caller gets the frame. Throws `KnackError`. */
export function findRunner({ name, command }: RunnerWanted, runners: Config["runners"]): Runner | undefined {
  if (name !== undefined && command !== undefined)
    throw new KnackError("INVALID_PARAM", "Give a runner's name or its command, not both.");
  if (command !== undefined) {
    const argv = splitWords(command, "--runner-cmd");
    return { name: checked("--runner-cmd", argv), argv };
  }
  const wanted = name ?? runners.default;
  if (wanted === null) return undefined;
  const known = listRunners(runners);
  const runner = known.find((one) => one.name === wanted);
  if (runner) {
    checked(wanted, runner.argv);
    return runner;
  }
  const names = known.map((one) => one.name);
  const guess = nearest(wanted, names, 2);
  const hint = guess === undefined ? "" : ` Did you mean ${guess}?`;
  throw new KnackError(
    name === undefined ? "CONFIG_INVALID" : "INVALID_PARAM",
    `There is no runner ${quote(wanted)}; the runners are ${fewOf(names)}.${hint}`,
  );
}

/** Those of the configuration, then the presets that it does not name. */
export function listRunners(runners: Config["runners"]): Runner[] {
  const own = Object.entries(runners).flatMap(([name, runner]) =>
    name !== "default" && runner !== null && typeof runner === "object"
      ? [{ name, argv: runner.command }]
      : [],
  );
  const presets = Object.entries(PRESETS).map(([name, argv]) => ({ name, argv }));
  return [...own, ...presets.filter(({ name }) => !Object.hasOwn(runners, name))];
}

function checked(runner: string, [program = ""]: readonly string[]): string {
  if (program === "") throw new KnackError("INVALID_PARAM", `${runner} does not name a program.`);
  return program;
}

const FRAME = "$(cat)";

/** `input` is null where the frame is an argument. */
export function commandFor({ argv }: Runner, frame: string) {
  const [program = "", ...args] = argv;
  const isArgument = args.some((word) => word.includes(FRAME));
  return {
    program,
    // `replace` would read `$&` in a frame.
    args: args.map((word) => word.split(FRAME).join(frame)),
    input: isArgument ? null : frame,
  };
}

/** Windows starts batch files by a shell, which no quoting of arguments survives. */
export function isBatchFile(program: string, platform: NodeJS.Platform): boolean {
  return platform === "win32" && /\.(?:cmd|bat)[ .]*$/i.test(program);
}

/** With the token a runner could answer questions about its own work. */
const OWN = /^KNACK_TOKEN$/i;

export function runnerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !loadsForeignCode(name) && !OWN.test(name)),
  );
}

/**
 * Splits a command line without a shell: spaces separate, quotes group, nothing is expanded. A backslash escapes quotes,
 * spaces and backslashes (in double quotes `"` and `\`), else it is itself, as in a Windows path. `setting`: its name in
 * messages.
 */
export function splitWords(line: string, setting: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let open: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? "";
    const next = line[at + 1] ?? "";
    const isEscape = letter === "\\" && open !== "'" && next !== "";
    if (isEscape && (open === '"' ? /["\\]/ : /["'\\\s]/).test(next)) {
      word = (word ?? "") + next;
      at++;
    } else if (open !== null) {
      if (letter === open) open = null;
      else word += letter;
    } else if (letter === '"' || letter === "'") {
      open = letter;
      word ??= "";
    } else if (/\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + letter;
  }
  if (open !== null)
    throw new KnackError(
      "INVALID_PARAM",
      `${setting}: the command ${quote(line)} has a quote (${open}) that is not closed.`,
    );
  if (word !== null) words.push(word);
  return words;
}

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
  /** Marks everything that the runner starts. */
  readonly mark?: string | undefined;
  readonly onStart?: ((pid: number) => void) | undefined;
  /** A throw ends the runner and is thrown on. */
  readonly onOutput?: ((stream: "stdout" | "stderr", bytes: Buffer) => void) | undefined;
}

/** How long a runner that is asked to end may take, and how long its last words. */
const GRACE_MS = 2_000;
const LAST_WORDS_MS = 2_000;

/** Starts a runner with a frame, without a shell, and returns when it and all that it started have ended. */
export async function runFrame(
  runner: Runner,
  frame: string,
  options: RunFrameOptions,
): Promise<RunnerResult> {
  const { cwd, timeoutMs, signal, mark = randomUUID(), onStart, onOutput } = options;
  signal?.throwIfAborted();
  const { program, args, input } = commandFor(runner, frame);
  const notStarted = (error: string): RunnerResult => {
    return { exit_code: null, signal: null, timed_out: false, error };
  };
  if (isBatchFile(program, process.platform))
    return notStarted(`${quote(program)} is a batch file; name the program that it starts.`);
  const env = runnerEnvironment(options.env);
  // Looked up here: a relative entry of the PATH would let a project bring the program.
  const file = /[/\\]/.test(program) ? program : findProgram(program, env);
  if (file === undefined) return notStarted(noProgram(program));
  env[MARK] = withMark(env[MARK], mark);
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
    onStart?.(child.pid ?? 0);
  } catch (error) {
    return notStarted(whyNotStarted(program, frame, input, error));
  }

  let hasEnded = false;
  const tree = { pid: child.pid ?? 0, hasEnded: () => hasEnded, mark: { variable: MARK, value: mark } };
  let isTimedOut = false;
  let thrown: { readonly error: unknown } | undefined;
  let kill: NodeJS.Timeout | undefined;
  const end = (): void => {
    if (hasEnded || kill) return;
    askToEnd(tree.pid);
    kill = setTimeout(() => void endTree(tree), GRACE_MS);
  };
  const limit = setTimeout(() => {
    isTimedOut = true;
    end();
  }, timeoutMs);
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
    child[stream]?.on("error", () => {}); // The pipe breaks when the process ends, which is reported below.
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
