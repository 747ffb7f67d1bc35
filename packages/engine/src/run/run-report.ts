import type { SkillRun } from "../store/runs/skill-run.ts";
import type { TaskRef } from "../store/store.ts";
import type { FinishedRun } from "./run-skill.ts";

/** A run as programs see it: `knack run --json`, `knack runs show --json`, the tool's `data`. */
export interface RunReport {
  readonly id: string;
  readonly skill: string;
  readonly key: string;
  readonly status: SkillRun["status"];
  readonly cached: boolean;
  readonly task: string | null;
  readonly inputs: readonly {
    readonly role: string;
    readonly kind: string;
    readonly path: string;
    readonly sha256: string;
  }[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly artifacts: SkillRun["artifacts"];
  readonly evidences: SkillRun["evidences"];
  readonly error: SkillRun["error"];
  readonly isolation: string | null;
  readonly started_at: string;
  readonly finished_at: string | null;
  /** Files that a user had edited in the place of an artifact; there only where this run kept one. */
  readonly kept?: NonNullable<FinishedRun["kept"]>;
}

const NULLABLE_TEXT = { anyOf: [{ type: "string" }, { type: "null" }] } as const;

/** The same as a JSON Schema, for the tool that answers with it. */
export const RUN_SCHEMA = {
  type: "object",
  properties: {
    id: { type: "string" },
    skill: { type: "string" },
    key: { type: "string" },
    status: { enum: ["RUNNING", "SUCCEEDED", "FAILED"] },
    cached: { type: "boolean", description: "Whether an earlier run of the same inputs made it." },
    task: NULLABLE_TEXT,
    inputs: {
      type: "array",
      items: {
        type: "object",
        properties: {
          role: { type: "string" },
          kind: { type: "string" },
          path: { type: "string" },
          sha256: { type: "string" },
        },
        required: ["role", "kind", "path", "sha256"],
      },
    },
    params: { type: "object" },
    artifacts: {
      type: "array",
      items: {
        type: "object",
        properties: {
          name: { type: "string" },
          path: { type: "string" },
          sha256: { type: "string" },
          size_bytes: { type: "integer" },
          format: { type: "string" },
          version: { type: "integer" },
        },
        required: ["name", "path", "sha256", "size_bytes", "format", "version"],
      },
    },
    evidences: {
      type: "array",
      items: {
        type: "object",
        properties: { kind: { type: "string" }, data: { type: "object" } },
        required: ["kind", "data"],
      },
    },
    error: {
      anyOf: [
        {
          type: "object",
          properties: { code: { type: "string" }, message: { type: "string" } },
          required: ["code", "message"],
        },
        { type: "null" },
      ],
    },
    isolation: NULLABLE_TEXT,
    started_at: { type: "string" },
    finished_at: NULLABLE_TEXT,
    kept: {
      type: "array",
      description: "Edited files that were in the place of an artifact, and where they are kept.",
      items: {
        type: "object",
        properties: { path: { type: "string" }, kept_as: { type: "string" } },
        required: ["path", "kept_as"],
      },
    },
  },
  required: ["id", "skill", "key", "status", "cached", "inputs", "params", "artifacts", "evidences", "error"],
} as const;

export function runReport(run: SkillRun, cached = false): RunReport {
  const { id, skill, key, status, inputs, params, artifacts, evidences, error, isolation } = run;
  return {
    id,
    skill,
    key,
    status,
    cached,
    task: taskName(run),
    inputs: inputs.map(({ role, kind, path, sha256 }) => ({ role, kind, path, sha256 })),
    params,
    artifacts,
    evidences,
    error,
    isolation,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
  };
}

/** A cached result is the first run's, but its task and inputs are those that were asked for now. */
export function finishedReport({ run, cached, task, inputs, kept }: FinishedRun): RunReport {
  const asked = inputs.map(({ role, kind, path, sha256 }) => ({ role, kind, path, sha256 }));
  return { ...runReport(run, cached), task: taskName(task), inputs: asked, ...(kept?.length && { kept }) };
}

function taskName({ planId, taskId }: TaskRef): string | null {
  return taskId === null || planId === null ? taskId : `${planId}/${taskId}`;
}

/** For a person or a model to read. */
export function keptSentence({ path, kept_as }: NonNullable<FinishedRun["kept"]>[number]): string {
  return `${path} had been edited. The edited file is kept as ${kept_as}; ${path} was created again.`;
}
