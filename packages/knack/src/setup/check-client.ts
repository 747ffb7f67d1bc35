import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findProgram } from "@knack/core/process";
import type { Check, Client } from "./clients.ts";

/** What the client's own command says of the server. */
export interface CheckResult {
  /** `null`: there is none, or it is not on the search path. */
  readonly command: string | null;
  /** `null`: the command does not try the connection, or did not answer. */
  readonly connected: boolean | null;
  readonly message: string;
}

/** A client may start every server that its file names. */
const LIMIT_MS = 30_000;
const MAX_OUTPUT = 2 ** 20;

/**
 * Asks the client, if it has a command for that and the command is on the search path. `signal` ends it early; without one,
 * Ctrl-C ends this program too.
 */
export async function checkClient(
  client: Client,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<CheckResult> {
  const [name = ""] = client.programs;
  if (!client.check) return unchecked(`${client.title} has no command that tells whether it connects.`);
  const program = findProgram(name, env);
  if (!program) return unchecked(`"${name}" is not on the search path, so the connection was not checked.`);
  // Windows starts a script only through a shell.
  if (/\.(?:cmd|bat)$/i.test(program))
    return unchecked(`Run "${name} ${client.check.args.join(" ")}" to check the connection.`);
  const command = [name, ...client.check.args].join(" ");
  const { connected } = client.check;
  const answer = await ask(program, client.check, env, signal);
  if (answer === undefined)
    return { command, connected: null, message: `"${command}" did not answer within ${LIMIT_MS / 1000} s.` };
  if (connected?.test(answer.output))
    return { command, connected: true, message: `${client.title} connects ("${command}").` };
  if (connected && /\bknack\b/.test(answer.output))
    return {
      command,
      connected: false,
      message: `${client.title} does not connect; run "${command}" to see why.`,
    };
  const isListed = answer.code === 0 && /\bknack\b/.test(answer.output);
  if (isListed)
    return {
      command,
      connected: null,
      message: `${client.title} lists the server ("${command}"); that command does not try to connect.`,
    };
  return { command, connected: false, message: `"${command}" does not list the server.` };
}

const unchecked = (message: string): CheckResult => ({ command: null, connected: null, message });

/** Runs it in an empty folder: in a project, clients would start the project's servers too. */
function ask(
  program: string,
  check: Check,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<{ readonly code: number | null; readonly output: string } | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "knack-setup-"));
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; output: string } | undefined>();
  const child = spawn(program, check.args, {
    cwd: folder,
    // No program that Knack starts gets its token.
    env: { ...env, ...check.env, KNACK_TOKEN: undefined },
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
  });
  let output = "";
  const take = (bytes: Buffer): void => {
    if (output.length < MAX_OUTPUT) output += bytes.toString("utf8");
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const tidy = (): void => rmSync(folder, { recursive: true, force: true });
  const end = (): void => {
    endAll(child.pid);
    resolve(undefined);
  };
  const timer = setTimeout(end, LIMIT_MS);
  signal?.addEventListener("abort", end, { once: true });
  // It is in a group of its own, so Ctrl-C does not reach it.
  const interrupt = (): void => {
    endAll(child.pid);
    tidy();
    process.exit(130);
  };
  if (!signal) process.once("SIGINT", interrupt);
  child.on("error", () => resolve({ code: 1, output: "" }));
  child.on("close", (code) => resolve({ code, output: stripVTControlCharacters(output) }));
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    process.off("SIGINT", interrupt);
    tidy();
  });
}

/** Ends the client with the servers that it started. */
function endAll(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It ended by itself in this moment.
  }
}
