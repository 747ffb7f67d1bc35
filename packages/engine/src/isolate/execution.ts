import { constants } from "node:os";
import { loadsForeignCode } from "@knack/core/process";
import { traceEnvironment } from "@knack/core/telemetry";
import type { SkillInput } from "../shared/typed-skill.ts";

/** How a run was isolated; docs/isolation.md says what each level blocks. */
export type Isolation = "bubblewrap" | "node-permission" | "none" | "builtin";

/** How long after the exit of a process its last output may arrive. */
export const LAST_BYTES_MS = 500;

export const EXECUTION_LIMITS = {
  maxResultBytes: 8 * 1024 ** 2,
  maxLogBytes: 64 * 1024,
  memoryMb: 2048,
  maxArtifactBytes: 2 * 1024 ** 3,
  maxArtifactFiles: 10_000,
  maxProcesses: 256,
};

export type ProcessLimits = Readonly<typeof EXECUTION_LIMITS> & { readonly timeoutMs: number };

export interface Execution {
  readonly file: string;
  readonly functionName: string;
  readonly language: "javascript" | "typescript" | "python";
  /** Readable except `.knack`; contains everything that the code imports. */
  readonly projectRoot: string;
  readonly inputsDir: string;
  /** The only writable folder. */
  readonly artifactsDir: string;
  readonly context: { inputs: SkillInput[]; params: object; taskId: string };
  /** Only these, and the few that a runtime needs: PATH, HOME, TMPDIR, LANG. */
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Partial<ProcessLimits> & Pick<ProcessLimits, "timeoutMs">;
  /** The levels that the caller accepts. JavaScript and TypeScript never run with "none". */
  readonly allow: readonly Isolation[];
  /** Passed to child processes, where they can reach Knack at all. */
  readonly lineage?: string;
  readonly signal?: AbortSignal;
  readonly onLog?: (line: string) => void;
}

export type FailureCode =
  | "SKILL_FAILED"
  | "SKILL_TIMEOUT"
  | "SKILL_INTERRUPTED"
  | "SKILL_BAD_OUTPUT"
  | "TOO_LARGE"
  | "ACCESS_DENIED";

/** The outcome of the function: what it returned (not validated), or why there is nothing. */
export type ExecutionOutcome =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly code: FailureCode; readonly message: string };

export type ExecutionResult = ExecutionOutcome & { readonly isolation: Isolation; readonly log: string };

export function failed(code: FailureCode, message: string): ExecutionOutcome & { ok: false } {
  return { ok: false, code, message };
}

/** The signal that ended a process. A shell and bubblewrap report it as 128 plus its number. */
export function signalOf(code: number | null, signal: string | null): string | undefined {
  return signal ?? Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
}

/** Knack's own variables: its token, its folders, and how it finds its runs. */
const OWN_VARIABLES = /^KNACK_/i;

/** Runs no code, but decides which servers are trusted. */
const TRUST_VARIABLES = /^NODE_EXTRA_CA_CERTS$/i;

/** The first variable that is not passed on, even if a registry lists it: its value is that of whoever starts the run. */
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
