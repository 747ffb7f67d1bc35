import { loadsForeignCode } from "@knack/core/internal/engine";
import type { Execution } from "./execution.ts";

/** Knack's own: its token, its folders, how it finds and knows its runs. */
const OWN_VARIABLES = /^KNACK_/i;

/** Runs no code, but decides whose servers are believed. */
const TRUST_VARIABLES = /^NODE_EXTRA_CA_CERTS$/i;

/**
 * The first variable that is not passed on, and why. They are refused even where a registry lists them: the value would come
 * from the environment of whoever starts the run.
 */
export function refusedVariable(env: Execution["env"]): { name: string; why: string } | null {
  for (const name of Object.keys(env)) {
    if (OWN_VARIABLES.test(name)) return { name, why: "it belongs to Knack" };
    if (loadsForeignCode(name) || /[=\0]/.test(name)) return { name, why: "it can load other code" };
    if (TRUST_VARIABLES.test(name)) return { name, why: "it decides which servers are trusted" };
  }
  return null;
}

/** A variable with an unguessable value, by which the descendants of a run are found where no namespace holds them. */
export const MARK = "KNACK_RUN_MARK";

/** The runs that this one was started by, so that none waits for itself. Forging it hurts nobody else. */
export const LINEAGE = "KNACK_RUN_LINEAGE";

/** All that the process sees. What is listed wins over what a runtime merely needs. */
export function environmentOf(
  listed: Execution["env"],
  privateFolder: string,
  mark: string | null,
  lineage?: string,
): Record<string, string> {
  return {
    ...(process.platform === "win32"
      ? { SystemRoot: process.env.SystemRoot ?? "C:\\Windows", TEMP: privateFolder }
      : { PATH: "/usr/local/bin:/usr/bin:/bin", TMPDIR: privateFolder }),
    HOME: privateFolder,
    LANG: "C.UTF-8",
    ...listed,
    ...(mark === null ? {} : { [MARK]: mark }),
    ...(lineage === undefined ? {} : { [LINEAGE]: lineage }),
  };
}
