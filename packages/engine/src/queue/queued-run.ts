import { hash } from "node:crypto";
import { isRecord, parseJson } from "@knack/core/text";
import { framed } from "../registry/implementation-digest.ts";
import { approvalOf } from "../run/approve.ts";
import type { Confirmed } from "../run/input-kinds.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";
import type { Database, Parameter, Row } from "../store/database.ts";
import type { TaskRef } from "../store/store.ts";

/** Every machine of a team writes these columns, so one with another form must not stop those that read the table. */

/** What a worker needs to run it: kept as `request_json`, without secrets. */
export interface QueuedRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputs: readonly QueuedInput[];
  /** What a person confirmed where it was asked for: a worker confirms nothing. */
  readonly confirmed: readonly QueuedConfirmation[];
  /** The key on the machine that asked. */
  readonly key: string;
  /** The implementation and its entry, as that machine has them. */
  readonly digest: string;
  readonly isOwnRun: boolean;
}

interface QueuedInput {
  readonly role: string;
  /** As it is recorded. */
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

type QueuedConfirmation = Omit<Confirmed, "text">;

/** A version of a skill that a worker has, and why it does not run it; `null` if it does. */
export interface Offer {
  readonly skill: string;
  readonly digest: string;
  /** `trust`: its user has not approved it. `policy`: denied. `skills`: not in `--skills`. */
  readonly not: "trust" | "policy" | "skills" | null;
}

/** What stands for a request that Knack did not write: a worker refuses it. */
export const UNREADABLE: QueuedRequest = {
  params: {},
  inputs: [],
  confirmed: [],
  key: "",
  digest: "",
  isOwnRun: false,
};

function readRequest(text: unknown): QueuedRequest {
  const value = parseJson(String(text));
  if (!isRecord(value)) return UNREADABLE;
  const { params, inputs, confirmed = [], key, digest, isOwnRun } = value;
  const isWhole =
    isRecord(params) &&
    Array.isArray(inputs) &&
    inputs.every(isInput) &&
    Array.isArray(confirmed) &&
    confirmed.every(isConfirmation) &&
    typeof key === "string" &&
    typeof digest === "string" &&
    typeof isOwnRun === "boolean";
  return isWhole ? { params, inputs, confirmed, key, digest, isOwnRun } : UNREADABLE;
}

function isInput(value: unknown): value is QueuedInput {
  return (
    isRecord(value) &&
    typeof value.role === "string" &&
    typeof value.path === "string" &&
    /^[0-9a-f]{64}$/.test(String(value.sha256)) &&
    Number.isSafeInteger(value.size)
  );
}

function isConfirmation(value: unknown): value is QueuedConfirmation {
  return isRecord(value) && ["role", "sha256", "by", "at"].every((key) => typeof value[key] === "string");
}

export function readTexts(text: unknown): readonly string[] {
  const value = parseJson(String(text));
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export function readOffers(text: unknown): readonly Offer[] {
  const value = parseJson(String(text));
  const isOffer = (one: unknown): one is Offer =>
    isRecord(one) && typeof one.skill === "string" && typeof one.digest === "string";
  return Array.isArray(value) ? value.filter(isOffer) : [];
}

/** A row of `queued_runs`. `FAILED`: it will be tried again. `DEAD`: it will not, unless a person says so. */
export interface QueuedRun extends TaskRef {
  readonly id: string;
  /** The job of pg-boss that delivers it now; any other job for it is stale. */
  readonly jobId: string;
  readonly lane: string;
  readonly state: "WAITING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "DEAD" | "CANCELLED";
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

/** The columns of `queued_runs q` by the names that `QueuedRun` has for them. */
export const QUEUED_COLUMNS = `q.queue_id AS id, q.job_id AS "jobId", q.lane, q.state, q.skill_name AS skill,
  q.plan_id AS "planId", q.task_id AS "taskId", q.priority, q.turn, q.tags_json, q.request_json, q.queued_by AS "queuedBy",
  q.attempts, q.worker_id AS "workerId", q.skill_run_id AS "runId", q.cached, q.error_code, q.error_message,
  q.queued_at AS "queuedAt", q.started_at AS "startedAt", q.finished_at AS "finishedAt"`;

export function queuedOf(given: Row): QueuedRun {
  const { tags_json, request_json, error_code: code, error_message, ...row } = given;
  return {
    ...(row as unknown as QueuedRun),
    tags: readTexts(tags_json),
    request: readRequest(request_json),
    cached: row.cached === 1,
    error: code === null ? null : { code: String(code), message: String(error_message ?? "") },
  };
}

export async function findQueuedRuns(
  db: Database,
  rest: string,
  parameters: readonly Parameter[] = [],
): Promise<QueuedRun[]> {
  return (await db.all(`SELECT ${QUEUED_COLUMNS} FROM queued_runs q ${rest}`, parameters)).map(queuedOf);
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

/** A queue of pg-boss for each version: it cannot choose jobs by their content, and a worker takes only what it may run. */
export function laneOf({ skill, digest, tags }: Version): string {
  return `${skill.replaceAll(/[^\w-]/g, "_")}.${hash("sha256", framed(digest, ...tags)).slice(0, 32)}`;
}
