import { constants } from "node:os";
import type { SkillInput } from "../shared/skill-function.ts";

/** How a run was isolated; docs/isolation.md says what each level blocks. */
export type Isolation = "bubblewrap" | "node-permission" | "none" | "builtin";

export const EXECUTION_LIMITS = {
  maxResultBytes: 8 * 1024 ** 2,
  /** The beginning and the end of what it printed. */
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
