import type {
  ArtifactVersion,
  Explanation,
  KeyHistory,
  KeyPart,
  PlanView,
  RequestFault,
} from "@knack/engine";
import * as z from "zod";
import { anything, count, planStatus, run, runStatus, text, typedSkill, yes } from "../schemas.ts";
import { entry as queuedRun } from "./queue-schemas.ts";

/** Schemas of the answers about runs, plans and the log. */

export const cached = z.enum(["true", "false", "all"]);

const listedRun = run.extend({
  /** A cached result: when it was returned, and who asked. */
  served: z.strictObject({ at: text, actor: text, seq: count }).nullable(),
});
export const runPage = z.strictObject({
  runs: z.array(listedRun),
  count,
  next_cursor: text.nullable(),
});

export const runDetail = run.extend({
  log: text,
  /** Who asked for it; null while it runs. */
  actor: text.nullable(),
  /** Whether this server executes it now, so that its log can be followed and it can be cancelled. */
  live: yes,
});

export const runLog = z.strictObject({
  text,
  /** Where to continue. */
  next: count,
  /** Whether more may come. */
  running: yes,
  /** Whether this server executes the run; otherwise its log is there when it has ended. */
  live: yes,
  status: runStatus,
});

const keyPart = z.strictObject({
  part: z.enum(["version", "implementation", "input", "param", "environment"]),
  name: text,
  same: yes,
  before: text.nullable(),
  now: text.nullable(),
}) satisfies z.ZodType<KeyPart>;
const keyHistory = z.strictObject({
  reason: text,
  compared_with: z.strictObject({ id: text, started_at: text }).nullable(),
  parts: z.array(keyPart),
}) satisfies z.ZodType<KeyHistory>;
export const runKey = keyHistory.extend({
  key: text,
  served: z.array(z.strictObject({ at: text, actor: text, seq: count, task: text.nullable() })),
});

export const cancelled = z.strictObject({ id: text, cancelled: yes });

const version = z.strictObject({
  name: text,
  path: text,
  sha256: text,
  size_bytes: count,
  format: text,
  version: count,
  run: text,
  created_at: text,
}) satisfies z.ZodType<ArtifactVersion>;
export const versions = z.strictObject({ versions: z.array(version), count });

export const diff = z.strictObject({
  left: version,
  right: version,
  /** A unified diff; empty where the texts are the same. */
  diff: text,
});

export const entry = typedSkill.extend({
  /** Whether it runs code of the project. */
  code: yes,
  /** Why it may not run now; null if it may. */
  refused: text.nullable(),
  /** The JSON Schema of the body of a run: inputs and params. */
  request: anything,
});

const explanation = z.strictObject({
  skill: text,
  key: text,
  parts: z.strictObject({
    version: text,
    implementation: text,
    implementation_digest: text,
    inputs: z.array(z.strictObject({ role: text, sha256: text, path: text })),
    params: z.unknown(),
    env: z.array(text),
    strategy: text,
  }),
  hit: yes,
  reasons: z.array(text),
}) satisfies z.ZodType<Explanation>;
const fault = z.strictObject({ at: z.array(text), message: text }) satisfies z.ZodType<RequestFault>;
export const checked = z.strictObject({
  faults: z.array(fault),
  /** Whether it would run or return a cached result, and why; null where there are faults. */
  explanation: explanation.nullable(),
});

const evidence = z.strictObject({
  type: text,
  kind: text.nullable(),
  run: text.nullable(),
  path: text.nullable(),
  sha256: text.nullable(),
  by: text.nullable(),
  created_at: text,
});
const task = planStatus.shape.tasks.element;
const taskView = task.extend({
  skill: text.nullable(),
  failures: count,
  inputs: z.array(
    z.union([
      z.strictObject({ role: text.nullable(), file: text }),
      z.strictObject({ role: text.nullable(), task: text, artifact: text }),
    ]),
  ),
  params: anything,
  requirements: z.array(
    task.shape.requirements.element.extend({
      allowed_types: z.array(text),
      skill: text.nullable(),
      evidence: text.nullable(),
      evidences: z.array(evidence),
    }),
  ),
  waits_for: z.array(
    z.strictObject({
      kind: z.enum(["task", "file", "confirmation", "skill", "failure"]),
      name: text,
      text,
    }),
  ),
  /** Its run in the queue, if it has not ended, and why it waits or failed. */
  queued: queuedRun.pick({ id: true, state: true, error: true }).nullable(),
  /** Of the last run of the plan by this server. */
  cached: yes.exactOptional(),
  error: z.strictObject({ code: text, message: text }).exactOptional(),
  kept: z.array(z.strictObject({ path: text, kept_as: text })).exactOptional(),
});
export const planRun = z.strictObject({
  running: yes,
  started_at: text.nullable(),
  finished_at: text.nullable(),
  /** Why the run of the plan stopped, if it could not go on. */
  error: z.strictObject({ code: text, message: text }).nullable(),
});
export const planView = z.strictObject({
  plan: text,
  title: text,
  file: text,
  updated_at: text,
  tasks: z.array(taskView),
  run: planRun,
}) satisfies z.ZodType<PlanView>;

export const applied = z.strictObject({ plan: text, changed: yes, status: planStatus });
export const evidenced = z.strictObject({ added: yes, status: planStatus });
export const attached = evidenced.extend({ path: text });

const event = z.strictObject({
  seq: count,
  event_type: text,
  plan_id: text.nullable(),
  task_id: text.nullable(),
  run_id: text.nullable(),
  actor: text,
  payload: z.unknown(),
  created_at: text,
  hash: text,
});
export const events = z.strictObject({
  events: z.array(event),
  count,
  /** All records that match, on this page or not. */
  total: count,
  next_cursor: text.nullable(),
});
export const facets = z.strictObject({ types: z.array(text), actors: z.array(text) });
export const verification = z.strictObject({
  ok: yes,
  /** Records that hold. */
  count,
  head: text.exactOptional(),
  /** Rows of runs, artifacts, evidence and tasks that match the log. */
  rows: count.exactOptional(),
  unchecked: count.exactOptional(),
  running: count.exactOptional(),
  /** The first record or row that does not hold. */
  seq: count.nullable().exactOptional(),
  fault: text.exactOptional(),
  message: text,
});
