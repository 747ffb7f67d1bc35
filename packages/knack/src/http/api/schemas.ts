import { skillCatalogSchema, skillLoadErrorSchema, skillMetadataSchema } from "@knack/core/schemas";

/** JSON Schemas of the answers, for the OpenAPI document and for the tests that check answers against it. */

export const text = { type: "string" } as const;
export const count = { type: "integer", minimum: 0 } as const;
export const yes = { type: "boolean" } as const;
const anything = { type: "object" } as const;

/** An object with exactly these properties; a name that ends with `?` may be absent. */
export function shape(properties: Readonly<Record<string, object>>): object {
  const entries = Object.entries(properties);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace("?", ""), schema])),
    required: entries.filter(([name]) => !name.endsWith("?")).map(([name]) => name),
    additionalProperties: false,
  };
}

export const list = (items: object): object => ({ type: "array", items });
const orNull = (schema: object): object => ({ anyOf: [schema, { type: "null" }] });
const one = (...values: readonly string[]): object => ({ enum: values });

/** The library's schemas without `$schema`. */
function fromLibrary(schema: { toJSONSchema(): object }): Record<string, unknown> {
  const { $schema: _draft, ...rest } = schema.toJSONSchema() as Record<string, unknown>;
  return rest;
}

const extend = (schema: Record<string, unknown>, more: Readonly<Record<string, object>>): object => {
  const added = shape(more) as { properties: object; required: string[] };
  return {
    ...schema,
    properties: { ...(schema.properties as object), ...added.properties },
    required: [...((schema.required as string[]) ?? []), ...added.required],
  };
};

const skill = fromLibrary(skillMetadataSchema);
const diagnostic = fromLibrary(skillLoadErrorSchema);
const listed = extend(skill, { "status?": text, "reason?": text });
export const catalog = extend(
  {
    ...fromLibrary(skillCatalogSchema),
    properties: { ...(fromLibrary(skillCatalogSchema).properties as object), skills: list(listed) },
  },
  { "total?": count, "next_cursor?": orNull(text) },
);

const edge = shape({
  from: text,
  to: text,
  type: one("requires_now", "requires_later", "reference_only"),
  alternative: yes,
  line: count,
  text,
});

export const skillReport = shape({
  skill: extend(skill, { status: text, reason: text, frontmatter: anything }),
  files: list(text),
  edges: list(edge),
  diagnostics: list(diagnostic),
});

export const skillFile = shape({
  name: text,
  path: text,
  file: text,
  content: text,
  size_bytes: count,
  "sha256?": text,
  truncated: yes,
});

export const searchAnswer = shape({
  results: list(
    shape({
      skill,
      score: { type: "number" },
      reason: one("exact_path", "exact_name", "prefix", "token_overlap", "body_match"),
      matched: list(text),
      fits: yes,
    }),
  ),
  count,
  truncated: yes,
});

export const envelope = shape({
  status: one("success", "partial"),
  data: anything,
  text,
  stats: anything,
  context: anything,
});

export const graph = shape({
  nodes: list(shape({ id: text, name: text, path: text })),
  edges: list(edge),
  cycles: list(list(text)),
  dangling: list(shape({ from: text, name: text, line: count })),
});

export const route = shape({
  role: text,
  skill: orNull(text),
  reason: text,
  source: one("rule", "search", "default"),
  rule: orNull(text),
  matched: list(text),
  others: list(anything),
});

const runFields = {
  id: text,
  skill: text,
  key: text,
  status: one("RUNNING", "SUCCEEDED", "FAILED"),
  cached: yes,
  task: orNull(text),
  inputs: list(shape({ role: text, kind: text, path: text, sha256: text })),
  params: anything,
  artifacts: list(anything),
  evidences: list(anything),
  error: orNull(shape({ code: text, message: text })),
  isolation: orNull(text),
  started_at: text,
  finished_at: orNull(text),
  "kept?": list(shape({ path: text, kept_as: text })),
};
export const run = shape(runFields);
export const runWithLog = shape({ ...runFields, log: text });

export const plan = shape({ plan: text, title: text, tasks: count, done: count, updated_at: text });

export const planStatus = shape({
  plan: text,
  tasks: list(
    shape({
      id: text,
      title: text,
      status: one("PENDING", "READY", "IN_PROGRESS", "BLOCKED", "DONE", "FAILED", "ABANDONED"),
      blocked_reason: orNull(text),
      depends_on: list(text),
      requirements: list(
        shape({ name: text, kind: text, required: yes, min_count: count, have: count, satisfied: yes }),
      ),
      "run?": text,
    }),
  ),
});

export const typedSkill = shape({
  name: text,
  description: text,
  implementation: text,
  inputs: list(anything),
  outputs: anything,
  params: anything,
  idempotency: anything,
});

export const policyAnswer = shape({
  skill: text,
  file: text,
  changed: yes,
  effective: yes,
  obstacles: list(text),
  remarks: list(text),
  "decision?": one("allow", "deny", "confirm"),
  "enabled?": yes,
});

export const status = shape({
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

export const failure = shape({
  error: shape({ code: text, message: text, "candidates?": list(text), "candidates_total?": count }),
});
