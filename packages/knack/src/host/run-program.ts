import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { KnackError, SkillError } from "@knack/core";
import { findProgram } from "@knack/core/process";

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Whether the program may ask the user, at the terminal. */
  readonly mayAsk: boolean;
  /** Reads standard output; without it the output is collected, up to `MAX_OUTPUT`. */
  readonly read?: ((output: Readable) => Promise<void>) | undefined;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  /** Its end, where it is long. */
  readonly stderr: string;
}

const MAX_OUTPUT = 16 * 1024 * 1024;
const MAX_STDERR = 16 * 1024;

/** What to do where a program that a source needs is not installed. */
const INSTALL: Readonly<Record<string, string>> = {
  git: "Install git (https://git-scm.com/downloads), then try again.",
  npm: "Install Node.js, which brings npm, then try again.",
};

/** Runs a program of the user's PATH with these words, never through a shell. */
export async function runProgram(
  name: "git" | "npm",
  words: readonly string[],
  options: RunOptions,
): Promise<Ran> {
  const program = findProgram(name, options.env);
  if (program === undefined)
    throw new SkillError("NOT_FOUND", `${name} was not found on the PATH. ${INSTALL[name]}`);
  const isScript = process.platform === "win32" && /\.(?:cmd|bat)$/i.test(program);
  if (isScript)
    throw new SkillError("NOT_FOUND", `${program} is a script, which Knack does not start. ${INSTALL[name]}`);
  const child = spawn(program, words, {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe"],
    // Without a terminal of its own it cannot ask, and its helpers end with it.
    detached: !options.mayAsk,
    windowsHide: true,
  });
  const end = (): void => {
    const { pid } = child;
    if (pid === undefined) return;
    try {
      process.kill(options.mayAsk || process.platform === "win32" ? pid : -pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  options.signal.addEventListener("abort", end, { once: true });
  if (options.signal.aborted) end();
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code));
  });
  // The reader below fails first where both do.
  ended.catch(() => {});
  try {
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-MAX_STDERR);
    });
    let stdout = "";
    const collect = async (output: Readable): Promise<void> => {
      for await (const chunk of output.setEncoding("utf8")) {
        stdout += chunk;
        if (stdout.length > MAX_OUTPUT) throw new KnackError("EXECUTION_ERROR", `${name} printed too much.`);
      }
    };
    await (options.read ?? collect)(child.stdout);
    return { code: await ended, stdout, stderr };
  } catch (error) {
    end();
    if (error instanceof KnackError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new KnackError("EXECUTION_ERROR", `${program} could not be run: ${reason}.`);
  } finally {
    options.signal.removeEventListener("abort", end);
  }
}
