import { isStoreError, KnackError } from "@knack/core/text";
import type { Leftovers } from "../artifacts/temporary.ts";
import type { Contents } from "../contents/contents.ts";
import type { Isolation } from "../isolate/execution.ts";
import type { Guest, GuestPool } from "../isolate/guest.ts";
import type { ProducedEvidence } from "../shared/typed-skill.ts";
import type { KeptEdit } from "../store/runs/finish.ts";
import type { NewArtifact } from "../store/runs/outputs.ts";
import type { SkillRun } from "../store/runs/runs.ts";
import type { Ancestor } from "./lineage.ts";
import type { LiveRuns } from "./live-runs.ts";

export type { KeptEdit } from "../store/runs/finish.ts";

export interface RunError {
  readonly code: string;
  readonly message: string;
}

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

export function faultOf(error: unknown): RunError {
  if (error instanceof KnackError && !isStoreError(error))
    return { code: "SKILL_BAD_INPUT", message: error.message };
  return { code: "SKILL_FAILED", message: error instanceof Error ? error.message : String(error) };
}

export interface ClaimedRunOptions {
  readonly projectRoot: string;
  readonly leaseMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onLog?: ((line: string) => void) | undefined;
  /** Told where another process has the key: who, and since when. */
  readonly onWait?: ((line: string) => void) | undefined;
  readonly leftovers: Leftovers;
  readonly guests: GuestPool;
  readonly allowNone: readonly string[];
  /** Where it can be watched and cancelled while it runs. */
  readonly live: LiveRuns;
  /** Where artifacts are kept for all machines; `null`: only here. */
  readonly contents: Contents | null;
  /** The runs that asked for this one, outermost first. */
  readonly lineage: readonly Ancestor[];
}

export interface ClaimedRun extends ClaimedRunOptions {
  readonly run: SkillRun;
  /** A success whose artifacts must be made again where they were. */
  readonly before: SkillRun | null;
  /** Whether what is at the place of a lost artifact may be written over: something is there, and no other run made it. */
  isOurs(path: string): Promise<boolean>;
  /** Whether a record names other bytes at this path; only asked where other machines place artifacts too. */
  readonly isTaken?: ((path: string, sha256: string) => Promise<boolean>) | undefined;
  /** The process of a built-in that parses; its folder is the run's. */
  readonly guest: Guest | null;
  /** Private to this run; created on first use. */
  readonly folder: string;
}
