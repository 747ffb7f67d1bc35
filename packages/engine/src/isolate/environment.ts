import { loadsForeignCode } from "@knack/core/process";
import { traceEnvironment } from "@knack/core/telemetry";
import type { Execution } from "./execution.ts";

/** Knack's own variables: its token, its folders, and how it finds its runs. */
const OWN_VARIABLES = /^KNACK_/i;

/** Runs no code, but decides which servers are trusted. */
const TRUST_VARIABLES = /^NODE_EXTRA_CA_CERTS$/i;

/**
 * The first variable that is not passed on, and why. These are refused even if a registry lists them, because their values
 * come from the environment of the user who starts the run.
 */
export function refusedVariable(env: Execution["env"]): { name: string; why: string } | null {
  for (const name of Object.keys(env)) {
    if (OWN_VARIABLES.test(name)) return { name, why: "it belongs to Knack" };
    if (loadsForeignCode(name) || /[=\0]/.test(name)) return { name, why: "it can load other code" };
    if (TRUST_VARIABLES.test(name)) return { name, why: "it decides which servers are trusted" };
  }
  return null;
}

/** A variable with an unguessable value, to find the descendants of a run that has no process namespace. */
export const MARK = "KNACK_RUN_MARK";

/** The runs that this run was started by, so that no run waits for itself. A forged value harms nobody else. */
export const LINEAGE = "KNACK_RUN_LINEAGE";

/** The complete environment of the process. Listed variables win over the defaults that a runtime needs. */
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
    ...(lineage === undefined ? {} : { [LINEAGE]: lineage, ...traceEnvironment() }),
  };
}
