import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemCode, writeError } from "@knack/core/files";
import { isGone, ownProcess } from "@knack/core/process";
import { KnackError } from "@knack/core/text";
import { conflict, notFound } from "../options.ts";
import { findOwnProgram } from "../run-program.ts";

/** A folder for one download, removed when it is disposed; what a killed process left is removed by the next. */
export interface Scratch extends Disposable {
  readonly path: string;
}

/** `parent` is a folder of Knack's own. */
export function makeScratch(parent: string): Scratch {
  const { pid, started } = ownProcess();
  const path = join(parent, `${pid}-${started || 0}-${randomUUID()}`);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw writeError(path, systemCode(error), true);
  }
  sweep(parent);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid, started] = /^(\d+)-(\d+)-[0-9a-f-]{36}$/.exec(name) ?? [];
    if (pid === undefined || started === undefined) continue;
    if (isGone({ pid: Number(pid), started: started === "0" ? "" : started }))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
}

/** Thrown by whatever takes too long or was interrupted; says which. */
export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  const { reason } = signal;
  if (reason instanceof KnackError) throw reason;
  throw conflict("The source took too long to answer; nothing was changed. Try again later.");
}

const INSTALL = {
  git: "Install git (https://git-scm.com/downloads), then try again.",
  npm: "Install Node.js, which brings npm, then try again.",
} as const;

export function requireProgram(name: keyof typeof INSTALL, env: NodeJS.ProcessEnv): string {
  const program = findOwnProgram(name, env);
  if (program === undefined) throw notFound(`${name} was not found on the PATH. ${INSTALL[name]}`);
  if (process.platform === "win32" && /\.(?:cmd|bat)$/i.test(program))
    throw notFound(`${program} is a script, which Knack does not start. ${INSTALL[name]}`);
  return program;
}
