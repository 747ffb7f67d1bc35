import { randomUUID } from "node:crypto";
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
  | "DISPATCHED"
  | "TOOL_CALLED"
  | "TURN_ENDED"
  | "TOKEN_ADDED"
  | "TOKEN_REVOKED"
  | "REQUESTED";

/** What a run, an artifact or an event belongs to: a task of a plan, a task without a plan, or nothing. */
export interface TaskRef {
  readonly planId: string | null;
  readonly taskId: string | null;
}

/** How a task is named: `plan/task`, or the task alone where it has no plan. */
export function taskName({ planId, taskId }: TaskRef): string | null {
  return taskId === null || planId === null ? taskId : `${planId}/${taskId}`;
}

export interface NewEvent extends Partial<TaskRef> {
  readonly type: EventType;
  readonly runId?: string | null;
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
    | "evidences"
    | "access_tokens";
  readonly key: readonly string[];
}

/** Appends events in the transaction of the rows that they record, after these. `rows`: all that were written or removed. */
export type RecordEvents = (
  tx: Database,
  events: readonly NewEvent[],
  by: { readonly actor: string; readonly at: string; readonly rows?: readonly RowRef[] },
) => Promise<void>;

/** A database with the dependencies of its operations, so that a test can control them. */
export interface Store {
  readonly db: Database;
  /** The actor in the log: `cli`, `mcp`, a worker's name, `token:alice` while a request of hers is answered. */
  readonly actor: string;
  readonly now: () => Date;
  /** Whether `now` is the same clock for every machine, so that it decides when a lease is over. */
  readonly hasSharedClock?: boolean;
  /** Milliseconds of a monotonic clock; on Linux the same for all processes since boot. */
  readonly monotonic: () => number;
  /** `appendEvents` of `audit/chain.ts`, passed in because the audit imports the store, not the reverse. */
  readonly record: RecordEvents;
}

/** The system's uptime: `performance.now()` starts with the process. */
export function monotonic(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

let lastTime = 0;
let counter = 0;

/** A UUID version 7. Twelve bits count within a millisecond; when they run out, the next one is used early. */
export function newId(now: Date): string {
  const time = now.getTime();
  if (time > lastTime) {
    lastTime = time;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastTime++;
    counter = 0;
  }
  const hex = lastTime.toString(16).padStart(12, "0");
  const count = counter.toString(16).padStart(3, "0");
  // A UUID version 4 has random bits in the same place, and Node caches random bytes for it.
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${count}-${randomUUID().slice(19)}`;
}
