import type { SkillRun } from "../store/skill-run.ts";
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
}

export function runReport(run: SkillRun, cached = false): RunReport {
  const { id, skill, key, status, inputs, params, artifacts, evidences, error, isolation } = run;
  return {
    id,
    skill,
    key,
    status,
    cached,
    task: run.taskId === null ? null : run.planId === null ? run.taskId : `${run.planId}/${run.taskId}`,
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

/** A cached result is the first run's, but its inputs are those that were asked for now. */
export function finishedReport({ run, cached, inputs }: FinishedRun): RunReport {
  const asked = inputs.map(({ role, kind, path, sha256 }) => ({ role, kind, path, sha256 }));
  return { ...runReport(run, cached), inputs: asked };
}
