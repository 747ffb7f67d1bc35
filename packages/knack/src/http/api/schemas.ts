import type { EdgeType, SearchReason, SearchResults, Status } from "@knack/core";
import { ROLES, type RouteAnswer } from "@knack/core/internal";
import { envelopeSchema, skillFileSchema } from "@knack/core/internal/engine";
import { skillCatalogSchema, skillLoadErrorSchema, skillMetadataSchema } from "@knack/core/schemas";
import type { EntryWords, ListedPlan, PlanStatus, RunReport, TaskReport } from "@knack/engine";
import * as z from "zod";
import type { SkillReport } from "../../host/report/skill-report.ts";

/** Schemas of the answers, for the OpenAPI document and for the tests that check answers against it. */

export const text = z.string();
export const count = z.int().min(0);
export const yes = z.boolean();
export const atLeastOne = z.int().min(1);
export const anything = z.record(z.string(), z.unknown());
export const nothing = z.strictObject({});

/** All values of a union: the compiler refuses one that is missing. */
const oneOf = <T extends string>(values: Readonly<Record<T, true>>) => z.enum(Object.keys(values) as T[]);

export const runStatus = oneOf<RunReport["status"]>({ RUNNING: true, SUCCEEDED: true, FAILED: true });

const listed = skillMetadataSchema.extend({ status: text.exactOptional(), reason: text.exactOptional() });
export const catalog = skillCatalogSchema.extend({
  skills: z.array(listed),
  total: count.exactOptional(),
  next_cursor: text.nullable().exactOptional(),
});

const edge = z.strictObject({
  from: text,
  to: text,
  type: oneOf<EdgeType>({ requires_now: true, requires_later: true, reference_only: true }),
  alternative: yes,
  line: count,
  text,
});

export const skillReport = z.strictObject({
  skill: skillMetadataSchema.extend({
    status: oneOf<Status>({
      active: true,
      disabled: true,
      ineligible: true,
      shadowed: true,
      unverified: true,
    }),
    reason: text,
    frontmatter: anything,
  }),
  files: z.array(text),
  edges: z.array(edge),
  diagnostics: z.array(skillLoadErrorSchema),
} satisfies Record<keyof SkillReport, z.ZodType>);

export const skillFile = skillFileSchema.extend({ size_bytes: count });

export const searchAnswer = z.strictObject({
  results: z.array(
    z.strictObject({
      skill: skillMetadataSchema,
      score: z.number(),
      reason: oneOf<SearchReason>({
        exact_path: true,
        exact_name: true,
        prefix: true,
        token_overlap: true,
        body_match: true,
        semantic_match: true,
      }),
      matched: z.array(text),
      fits: yes,
    }),
  ),
  count,
  fitting: count,
  truncated: yes,
  partial: z.literal(true).optional(),
  notes: z.array(text).optional(),
}) satisfies z.ZodType<SearchResults>;

/** A refusal is no envelope here, but an answer with its status. */
export const envelope = envelopeSchema
  .omit({ error: true })
  .extend({ status: z.enum(["success", "partial"]) });

export const graph = z.strictObject({
  nodes: z.array(z.strictObject({ id: text, name: text, path: text })),
  edges: z.array(edge),
  cycles: z.array(z.array(text)),
  dangling: z.array(z.strictObject({ from: text, name: text, line: count })),
});

const role = z.enum(ROLES);
export const route = z.strictObject({
  role,
  skill: text.nullable(),
  reason: text,
  source: oneOf<RouteAnswer["source"]>({ rule: true, search: true, default: true }),
  rule: text.nullable(),
  matched: z.array(text),
  others: z.array(
    z.strictObject({
      role,
      skill: text,
      source: z.enum(["rule", "search"]),
      rule: text.nullable(),
      matched: z.array(text),
      score: z.number().nullable(),
    }),
  ),
}) satisfies z.ZodType<RouteAnswer>;

export const run = z.strictObject({
  id: text,
  skill: text,
  key: text,
  status: runStatus,
  cached: yes,
  task: text.nullable(),
  inputs: z.array(z.strictObject({ role: text, kind: text, path: text, sha256: text })),
  params: anything,
  artifacts: z.array(
    z.strictObject({ name: text, path: text, sha256: text, size_bytes: count, format: text, version: count }),
  ),
  // Not strict: the function of a skill may say more.
  evidences: z.array(z.looseObject({ kind: text, data: anything })),
  error: z.strictObject({ code: text, message: text }).nullable(),
  isolation: text.nullable(),
  started_at: text,
  finished_at: text.nullable(),
  kept: z.array(z.strictObject({ path: text, kept_as: text })).exactOptional(),
}) satisfies z.ZodType<RunReport>;
export const runInputs = z.array(z.strictObject({ role: text.exactOptional(), path: text }));

export const plan = z.strictObject({
  plan: text,
  title: text,
  tasks: count,
  done: count,
  updated_at: text,
}) satisfies z.ZodType<ListedPlan>;

export const planStatus = z.strictObject({
  plan: text,
  tasks: z.array(
    z.strictObject({
      id: text,
      title: text,
      status: oneOf<TaskReport["status"]>({
        PENDING: true,
        READY: true,
        IN_PROGRESS: true,
        BLOCKED: true,
        DONE: true,
        FAILED: true,
        ABANDONED: true,
      }),
      blocked_reason: oneOf<NonNullable<TaskReport["blocked_reason"]>>({
        WAITING_INPUT: true,
        WAITING_APPROVAL: true,
        WAITING_SKILL: true,
        WAITING_EXTERNAL: true,
      }).nullable(),
      depends_on: z.array(text),
      requirements: z.array(
        z.strictObject({
          name: text,
          kind: oneOf<TaskReport["requirements"][number]["kind"]>({
            FILE: true,
            CONFIRMATION: true,
            SKILL_OUTPUT: true,
          }),
          required: yes,
          min_count: count,
          have: count,
          satisfied: yes,
        }),
      ),
      run: text.exactOptional(),
    }),
  ),
}) satisfies z.ZodType<PlanStatus>;

export const typedSkill = z.strictObject({
  name: text,
  description: text,
  implementation: text,
  inputs: z.array(anything),
  outputs: anything,
  params: anything,
  idempotency: anything,
  tags: z.array(text).exactOptional(),
} satisfies Record<keyof EntryWords, z.ZodType>);

export const policyAnswer = z.strictObject({
  skill: text,
  file: text,
  changed: yes,
  effective: yes,
  obstacles: z.array(text),
  remarks: z.array(text),
  decision: z.enum(["allow", "deny", "confirm"]).exactOptional(),
  enabled: yes.exactOptional(),
});

export const status = z.strictObject({
  version: text,
  project: text,
  trusted: yes,
  waiting_for_trust: count,
  skills: count,
  errors: count,
  warnings: count,
  typed_skills: count,
  snapshot_version: count,
  mcp: text,
});

export const failure = z.strictObject({
  error: z.strictObject({
    code: text,
    message: text,
    candidates: z.array(text).exactOptional(),
    candidates_total: count.exactOptional(),
  }),
});
