import { readHolder } from "../store/runs/claim.ts";
import type { KeptEdit } from "../store/runs/finish.ts";
import type { SkillRun } from "../store/runs/runs.ts";
import { taskName } from "../store/store.ts";
import type { FinishedRun } from "./run-skill.ts";

/** A run as programs see it: `knack run --json`, `knack runs show --json`, the tool's `data`. */
export type RunReport = ReturnType<typeof runReport> & {
  /** Files that a user had edited in the place of an artifact; there only where this run kept one. */
  readonly kept?: readonly KeptEdit[];
};

const TEXT = { type: "string" } as const;
const TEXT_OR_NULL = { anyOf: [TEXT, { type: "null" }] } as const;
const STATUSES: readonly SkillRun["status"][] = ["RUNNING", "SUCCEEDED", "FAILED"];

/** A schema with exactly the properties of `T`: the compiler notices when one is added to the type alone. */
function objectOf<T>(
  properties: { readonly [Key in keyof T]-?: object },
  optional: readonly (keyof T)[] = [],
) {
  const names = Object.keys(properties) as (keyof T)[];
  const required = names.filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

const listOf = <T>(...[properties]: Parameters<typeof objectOf<T>>): object => ({
  type: "array",
  items: objectOf<T>(properties),
});

/** The same as a JSON Schema. By hand and not by zod, which takes longer to load than most runs take. */
export const RUN_SCHEMA = objectOf<RunReport>(
  {
    id: TEXT,
    skill: TEXT,
    key: TEXT,
    status: { type: "string", enum: STATUSES },
    cached: { type: "boolean", description: "Whether an earlier run of the same inputs made it." },
    task: TEXT_OR_NULL,
    inputs: {
      type: "array",
      items: objectOf<RunReport["inputs"][number]>(
        { role: TEXT, kind: TEXT, path: TEXT, sha256: TEXT, confirmed_by: TEXT, confirmed_at: TEXT },
        ["confirmed_by", "confirmed_at"],
      ),
    },
    params: { type: "object" },
    artifacts: listOf<RunReport["artifacts"][number]>({
      name: TEXT,
      path: TEXT,
      sha256: TEXT,
      size_bytes: { type: "integer" },
      format: TEXT,
      version: { type: "integer" },
    }),
    evidences: listOf<RunReport["evidences"][number]>({ kind: TEXT, data: { type: "object" } }),
    error: {
      anyOf: [objectOf<NonNullable<RunReport["error"]>>({ code: TEXT, message: TEXT }), { type: "null" }],
    },
    isolation: TEXT_OR_NULL,
    made_by: { ...TEXT_OR_NULL, description: "The person and the machine." },
    started_at: TEXT,
    finished_at: TEXT_OR_NULL,
    kept: {
      ...listOf<KeptEdit>({ path: TEXT, kept_as: TEXT }),
      description: "Edited files that were in the place of an artifact, and where they are kept.",
    },
  },
  ["kept"],
);

export function runReport(run: SkillRun, cached = false) {
  const { id, skill, key, status, inputs, params, artifacts, evidences, error, isolation } = run;
  return {
    id,
    skill,
    key,
    status,
    cached,
    task: taskName(run),
    inputs: inputs.map(shownInput),
    params,
    artifacts,
    evidences,
    error,
    isolation,
    made_by: readHolder(run.holder)?.by ?? null,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
  };
}

/** A cached result is the first run's, but its task and inputs are those that were asked for now. */
export function finishedReport({ run, cached, task, inputs, kept }: FinishedRun): RunReport {
  const asked = { task: taskName(task), inputs: inputs.map(shownInput) };
  return { ...runReport(run, cached), ...asked, ...(kept?.length && { kept }) };
}

function shownInput({ size_bytes: _, ...input }: SkillRun["inputs"][number]) {
  return input;
}

/** For a person or a model to read. */
export function keptSentence({ path, kept_as }: KeptEdit): string {
  return `${path} had been edited. The edited file is kept as ${kept_as}; ${path} was created again.`;
}
