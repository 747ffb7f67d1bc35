import type { Isolation } from "../../isolate/execution.ts";
import { EngineError } from "../../shared/engine-error.ts";
import type { ProducedEvidence } from "../../shared/skill-function.ts";
import type { NewArtifact } from "../../store/runs/artifacts.ts";
import type { KeptEdit } from "../../store/runs/finish.ts";

export type { KeptEdit } from "../../store/runs/finish.ts";

export interface RunError {
  readonly code: string;
  readonly message: string;
}

/** What came of executing a skill, ready to be recorded. */
export interface Executed {
  readonly kept: readonly KeptEdit[];
  readonly isolation: Isolation;
  readonly logTail: string;
  readonly artifacts: readonly NewArtifact[];
  readonly evidences: readonly ProducedEvidence[];
  readonly error: RunError | null;
}

/** What the function gave back, not yet looked at; or why it gave nothing. */
export type Returned = { readonly isolation: Isolation; readonly logTail: string } & (
  | { readonly output: unknown }
  | { readonly error: RunError }
);

/** Something about one execution that makes it FAILED. */
export class SkillFault extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function faultOf(error: unknown): RunError {
  if (error instanceof SkillFault) return { code: error.code, message: error.message };
  if (error instanceof EngineError) return { code: "SKILL_BAD_INPUT", message: error.message };
  return { code: "SKILL_FAILED", message: error instanceof Error ? error.message : String(error) };
}

export const MAX_LOG_BYTES = 64 * 1024;
