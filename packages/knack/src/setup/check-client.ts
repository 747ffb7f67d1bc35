import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { KnackError } from "@knack/core";
import { interruptible } from "../host/signals.ts";
import { findOwnProgram, runProgram } from "../run-program.ts";
import type { UserPlace } from "./client-file.ts";
import type { Check, Client } from "./clients.ts";

/** What came of a check; `command` and `connected` are `null` where nothing was asked, or nothing is known. */
const result = (message: string, command: string | null = null, connected: boolean | null = null) => {
  return { command, connected, message };
};
export type CheckResult = ReturnType<typeof result>;

/** A client may start every server that its file names. */
const LIMIT_MS = 30_000;

/**
 * Asks the client, if it has a command for that and the command is on the search path. `signal` ends it early; without one,
 * Ctrl-C ends this program too.
 */
export async function checkClient(
  { title, programs: [name = ""], check }: Client,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<CheckResult> {
  if (!check) return result(`${title} has no command that tells whether it connects.`);
  const program = findOwnProgram(name, env);
  if (!program) return result(`"${name}" is not on the search path, so the connection was not checked.`);
  const command = [name, ...check.args].join(" ");
  // Windows starts a script only through a shell.
  if (/\.(?:cmd|bat)$/i.test(program)) return result(`Run "${command}" to check the connection.`);
  const answer = await ask(program, check, env, signal);
  if (!answer) return result(`"${command}" did not answer within ${LIMIT_MS / 1000} s.`, command);
  const isNamed = /\bknack\b/.test(answer.output);
  if (check.connected?.test(answer.output)) return result(`${title} connects ("${command}").`, command, true);
  if (check.connected && isNamed)
    return result(`${title} does not connect; run "${command}" to see why.`, command, false);
  if (!isNamed || answer.code !== 0) return result(`"${command}" does not list the server.`, command, false);
  return result(`${title} lists the server ("${command}"); that command does not try to connect.`, command);
}

/** The version of a client's own program; `undefined` where it is not there, fails, or takes too long. */
export async function versionOf(name: string, { env }: Pick<UserPlace, "env">): Promise<string | undefined> {
  const program = findOwnProgram(name, env);
  if (!program || /\.(?:cmd|bat)$/i.test(program)) return undefined;
  const answer = await ask(program, { args: ["--version"] }, env, AbortSignal.timeout(LIMIT_MS));
  return answer?.code === 0 ? /\d+\.\d+\.\d+/.exec(answer.output)?.[0] : undefined;
}

/** Runs it in an empty folder: in a project, clients would start the project's servers too. */
async function ask(
  program: string,
  check: Check,
  env: NodeJS.ProcessEnv,
  given: AbortSignal | undefined,
): Promise<{ readonly code: number | null; readonly output: string } | undefined> {
  const cwd = mkdtempSync(join(tmpdir(), "knack-setup-"));
  const interrupted = given ?? interruptible();
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(LIMIT_MS)]);
  const own = { ...env, ...check.env };
  try {
    const running = runProgram(program, check.args, { cwd, env: own, signal, mayAsk: false });
    // A server that the client started may outlive it, and hold its output open.
    const ran = await Promise.race([running, once(signal, "abort").then(() => undefined)]);
    if (!given) interrupted.throwIfAborted();
    if (!ran || signal.aborted) return undefined;
    return { code: ran.code, output: stripVTControlCharacters(`${ran.stdout}\n${ran.stderr}`) };
  } catch (error) {
    if (!(error instanceof KnackError) || interrupted.aborted) throw error;
    return { code: 1, output: "" };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
