import type { Leftovers } from "../../artifacts/leftovers.ts";
import type { Contents } from "../../contents/contents.ts";
import type { Guest } from "../../isolate/guest/guest.ts";
import type { GuestPool } from "../../isolate/guest/guest-pool.ts";
import type { SkillRun } from "../../store/runs/skill-run.ts";
import type { Ancestor } from "../lineage.ts";
import type { LiveRuns } from "../live/live-runs.ts";

export interface RunOptions {
  readonly projectRoot: string;
  readonly leaseMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onLog?: ((line: string) => void) | undefined;
  /** Told where another process has the key: who, and since when. */
  readonly onWait?: ((line: string) => void) | undefined;
  readonly leftovers: Leftovers;
  /** The processes in which built-in skills parse files. */
  readonly guests: GuestPool;
  /** Skills that may run without isolation. */
  readonly allowNone: readonly string[];
  /** Where it can be watched and cancelled while it runs. */
  readonly live: LiveRuns;
  /** Where artifacts are kept for all machines; `null`: only here. */
  readonly contents: Contents | null;
  /** The runs that asked for this one, outermost first. */
  readonly lineage: readonly Ancestor[];
}

/** A run while its key is held. */
export interface ClaimedRun extends RunOptions {
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
