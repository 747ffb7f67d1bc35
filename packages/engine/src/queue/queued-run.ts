import { hash } from "node:crypto";
import { framed } from "../registry/implementation-digest.ts";
import { approvalOf } from "../run/approve.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";
import type { Row } from "../store/database.ts";
import type { TaskRef } from "../store/store.ts";

/** Every machine of a team writes these columns, so one with another form must not stop those that read the table. */

/** What a worker needs to run it: kept as `request_json`, without secrets. */
export interface QueuedRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputs: readonly QueuedInput[];
  /** The key on the machine that asked. */
  readonly key: string;
  /** The implementation and its entry, as that machine has them. */
  readonly digest: string;
  /** Whether the end of the run is the end of its task. */
  readonly isOwnRun: boolean;
}

interface QueuedInput {
  readonly role: string;
  /** As it is recorded. */
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

/** A version of a skill that a worker has, and why it does not run it; `null` if it does. */
export interface Offer {
  readonly skill: string;
  readonly digest: string;
  /** `trust`: its user has not approved it. `policy`: denied. `skills`: not in `--skills`. */
  readonly not: "trust" | "policy" | "skills" | null;
}

/** What stands for a request that Knack did not write: a worker refuses it. */
export const UNREADABLE: QueuedRequest = { params: {}, inputs: [], key: "", digest: "", isOwnRun: false };

function readRequest(text: string): QueuedRequest {
  const value = parse(text);
  if (!isObject(value)) return UNREADABLE;
  const { params, inputs, key, digest, isOwnRun } = value;
  const isWhole =
    isObject(params) &&
    Array.isArray(inputs) &&
    inputs.every(isInput) &&
    typeof key === "string" &&
    typeof digest === "string" &&
    typeof isOwnRun === "boolean";
  return isWhole ? { params, inputs, key, digest, isOwnRun } : UNREADABLE;
}

export function readTexts(text: string): readonly string[] {
  const value = parse(text);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export function readOffers(text: string): readonly Offer[] {
  const value = parse(text);
  return Array.isArray(value) ? value.filter(isOffer) : [];
}

function isOffer(value: unknown): value is Offer {
  return isObject(value) && typeof value.skill === "string" && typeof value.digest === "string";
}

function isInput(value: unknown): value is QueuedInput {
  return (
    isObject(value) &&
    typeof value.role === "string" &&
    typeof value.path === "string" &&
    /^[0-9a-f]{64}$/.test(String(value.sha256)) &&
    Number.isSafeInteger(value.size)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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

/** What must be the same on two machines for one to run what the other asks for. */
export interface Version {
  readonly skill: string;
  /** Of the code with its runtime, and of the entry. */
  readonly digest: string;
  readonly tags: readonly string[];
}

export function versionOf(skill: TypedSkill, codeDigest: string): Version {
  return { skill: skill.name, digest: approvalOf(skill, codeDigest).digest, tags: skill.tags };
}

/**
 * The queue of pg-boss for one version of a skill: a worker takes jobs only from the lanes that it may run, because pg-boss
 * cannot choose jobs by their content. What nobody may run waits.
 */
export function laneOf({ skill, digest, tags }: Version): string {
  return `${skill.replaceAll(/[^\w-]/g, "_")}.${hash("sha256", framed(digest, ...tags)).slice(0, 32)}`;
}
