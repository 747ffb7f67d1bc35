import type { Database } from "./database.ts";

type EventType =
  | "SKILL_RUN"
  | "ARTIFACT_CREATED"
  | "EVIDENCE_ADDED"
  | "STATUS_CHANGED"
  | "ERROR"
  | "SKILL_LOADED"
  | "SKILL_SEARCHED"
  | "PERMISSION_DECIDED"
  | "DISPATCHED";

/** What a run, an artifact or an event belongs to: a task of a plan, a task without a plan, or nothing. */
export interface TaskRef {
  readonly planId: string | null;
  readonly taskId: string | null;
}

export interface NewEvent extends TaskRef {
  readonly type: EventType;
  readonly runId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A row that the log covers, by its primary key. */
export interface RowRef {
  readonly table:
    | "skill_runs"
    | "artifacts"
    | "plans"
    | "task_nodes"
    | "task_edges"
    | "input_requirements"
    | "evidences";
  readonly key: readonly string[];
}

/**
 * Appends events to the log, in the transaction of what they record and after it was written. `rows`: all that was written
 * or removed with them; the first event carries their digests.
 */
export type RecordEvents = (
  tx: Database,
  events: readonly NewEvent[],
  by: { readonly actor: string; readonly at: string; readonly rows?: readonly RowRef[] },
) => Promise<void>;

/** A database with what its operations need from outside, so that a test can hold it. */
export interface Store {
  readonly db: Database;
  /** Who acts, for the log: `cli`, `mcp`, a worker's name. */
  readonly actor: string;
  readonly now: () => Date;
  /** Milliseconds of a clock that nobody can set; on Linux the same for all processes since the machine was started. */
  readonly monotonic: () => number;
  /** `appendEvents` of `audit/chain.ts`: it comes in from outside because the audit knows the store, not the reverse. */
  readonly record: RecordEvents;
}

/** The system's own count: `performance.now()` begins with the process. */
export function monotonic(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
