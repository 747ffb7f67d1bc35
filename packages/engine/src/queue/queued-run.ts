import type { Row } from "../store/database.ts";
import type { TaskRef } from "../store/store.ts";
import { type QueuedRequest, readRequest, readTexts } from "./read-columns.ts";

type QueueState = "WAITING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "DEAD" | "CANCELLED";

/** A row of `queued_runs`. `FAILED`: it will be tried again. `DEAD`: it will not, unless a person says so. */
export interface QueuedRun extends TaskRef {
  readonly id: string;
  /** The job of pg-boss that delivers it now; any other job for it is stale. */
  readonly jobId: string;
  readonly lane: string;
  readonly state: QueueState;
  readonly skill: string;
  readonly priority: number;
  readonly turn: number;
  readonly tags: readonly string[];
  readonly request: QueuedRequest;
  readonly queuedBy: string;
  /** How often it failed. */
  readonly attempts: number;
  readonly workerId: string | null;
  readonly runId: string | null;
  readonly cached: boolean;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly queuedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

export function queuedOf(row: Row): QueuedRun {
  const text = (column: string): string => String(row[column]);
  const optional = (column: string): string | null => (row[column] === null ? null : text(column));
  const code = optional("error_code");
  return {
    id: text("queue_id"),
    jobId: text("job_id"),
    lane: text("lane"),
    state: text("state") as QueueState,
    skill: text("skill_name"),
    planId: optional("plan_id"),
    taskId: optional("task_id"),
    priority: Number(row.priority),
    turn: Number(row.turn),
    tags: readTexts(text("tags_json")),
    request: readRequest(text("request_json")),
    queuedBy: text("queued_by"),
    attempts: Number(row.attempts),
    workerId: optional("worker_id"),
    runId: optional("skill_run_id"),
    cached: Number(row.cached) === 1,
    error: code === null ? null : { code, message: optional("error_message") ?? "" },
    queuedAt: text("queued_at"),
    startedAt: optional("started_at"),
    finishedAt: optional("finished_at"),
  };
}

export const MIN_PRIORITY = -100;
export const MAX_PRIORITY = 100;
/** Between two priorities there is room for so many turns; later ones share the last. */
const TURNS = 10_000_000;

/** The order in which pg-boss takes jobs: by priority, then by turn. Higher comes first. */
export function bossPriority({ priority, turn }: Pick<QueuedRun, "priority" | "turn">): number {
  return priority * TURNS - Math.min(turn, TURNS - 1);
}
