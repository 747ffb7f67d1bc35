import type { SkillInput } from "../shared/skill-function.ts";

/** How a run was kept apart from the rest of the machine; docs/isolation.md says what each keeps out. */
export type Isolation = "bubblewrap" | "node-permission" | "none" | "builtin";

export interface Execution {
  /** What to run. */
  readonly file: string;
  readonly functionName: string;
  readonly language: "javascript" | "typescript" | "python";
  /** Readable as a whole, except `.knack`; what the code imports is inside of it. */
  readonly projectRoot: string;
  /** Read-only copies of the inputs. */
  readonly inputsDir: string;
  /** The one writable folder. */
  readonly artifactsDir: string;
  readonly context: { inputs: SkillInput[]; params: object; taskId: string };
  /** Exactly these, and the few that a runtime needs: PATH, HOME, TMPDIR, LANG. */
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
  /** Told to what it starts, where it can reach Knack at all. */
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

/** What became of the function: what it returned, its shape not checked, or why there is nothing. */
export type ExecutionOutcome =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly code: FailureCode; readonly message: string };

export type ExecutionResult = ExecutionOutcome & { readonly isolation: Isolation; readonly log: string };

export function failed(code: FailureCode, message: string): ExecutionOutcome & { ok: false } {
  return { ok: false, code, message };
}
