import type { SkillRun } from "../store/skill-run.ts";

export interface RunOptions {
  readonly projectRoot: string;
  readonly leaseMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onLog?: ((line: string) => void) | undefined;
}

/** A run while its key is held. */
export interface Held extends RunOptions {
  readonly run: SkillRun;
  /** A success whose artifacts must be made again where they were. */
  readonly before: SkillRun | null;
  /** Private to this run. */
  readonly folder: string;
}
