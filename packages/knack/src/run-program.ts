import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Readable } from "node:stream";
import { KnackError } from "@knack/core";
import { findProject, homeFolder } from "@knack/core/config";
import { canonical, isInside } from "@knack/core/files";
import { findProgram } from "@knack/core/process";
import { executionError } from "./options.ts";

/**
 * Finds a program of the user on the PATH: none that came with the project, whose folders npx and npm scripts put there, none
 * that others installed or can replace. A project that the home folder is in is the user's own.
 */
export function findOwnProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const home = homeFolder(env);
  const project = findProject({ cwd: process.cwd(), home, env });
  const isForeign = !isInside(canonical(home), project);
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => {
    // Also of a project around this one: npm puts the folders of all of them there.
    if (!isAbsolute(folder) || /[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder)) return false;
    if (isForeign && isInside(canonical(folder), project)) return false;
    return isOnlyOurs(folder) && isOnlyOurs(canonical(join(folder, name)), true);
  });
  return findProgram(name, { ...env, PATH: folders.join(delimiter) });
}

/** Whether nobody but the user and root can put something else there. Windows has no such bits: there nothing is known. */
function isOnlyOurs(path: string, mayBeAbsent = false): boolean {
  if (process.platform === "win32") return true;
  try {
    for (let at = canonical(path); ; at = dirname(at)) {
      const { mode, uid } = statSync(at);
      const isSticky = (mode & 0o1000) !== 0 && at !== path;
      if (((mode & 0o002) !== 0 && !isSticky) || !isOurUser(uid)) return false;
      if (dirname(at) === at) return true;
    }
  } catch {
    return mayBeAbsent; // Not there, or not for us: no program of it could be started.
  }
}

/** In a container root has another number. */
function isOurUser(uid: number): boolean {
  return uid === 0 || uid === process.getuid?.() || uid === statSync("/").uid;
}

export interface ProgramOptions {
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

/** Runs a program with these words, never through a shell. */
export async function runProgram(
  program: string,
  words: readonly string[],
  options: ProgramOptions,
): Promise<Ran> {
  const child = spawn(program, words, {
    cwd: options.cwd,
    // No program that Knack starts gets its token.
    env: { ...options.env, KNACK_TOKEN: undefined },
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
        if (stdout.length > MAX_OUTPUT) throw executionError(`${program} printed too much.`);
      }
    };
    await (options.read ?? collect)(child.stdout);
    return { code: await ended, stdout, stderr };
  } catch (error) {
    end();
    if (error instanceof KnackError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw executionError(`${program} could not be run: ${reason}.`);
  } finally {
    options.signal.removeEventListener("abort", end);
  }
}
