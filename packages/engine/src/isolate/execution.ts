import type { SkillInput } from "../shared/skill-function.ts";

/** How a run was isolated; docs/isolation.md says what each level blocks. */
export type Isolation = "bubblewrap" | "node-permission" | "none" | "builtin";

export interface Execution {
  /** What to run. */
  readonly file: string;
  readonly functionName: string;
  readonly language: "javascript" | "typescript" | "python";
  /** Readable except `.knack`; contains everything that the code imports. */
  readonly projectRoot: string;
  /** Read-only copies of the inputs. */
  readonly inputsDir: string;
  /** The only writable folder. */
  readonly artifactsDir: string;
  readonly context: { inputs: SkillInput[]; params: object; taskId: string };
  /** Only these, and the few that a runtime needs: PATH, HOME, TMPDIR, LANG. */
  readonly env: Readonly<Record<string, string>>;
  readonly limits: {
    readonly timeoutMs: number;
    readonly maxResultBytes: number;
    readonly maxLogBytes: number;
    readonly memoryMb?: number;
    readonly maxArtifactBytes?: number;
    readonly maxProcesses?: number;
  };
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
  | "ACCESS_DENIED";

/** The outcome of the function: what it returned (not validated), or why there is nothing. */
export type ExecutionOutcome =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly code: FailureCode; readonly message: string };

export type ExecutionResult = ExecutionOutcome & { readonly isolation: Isolation; readonly log: string };

export function failed(code: FailureCode, message: string): ExecutionOutcome & { ok: false } {
  return { ok: false, code, message };
}
