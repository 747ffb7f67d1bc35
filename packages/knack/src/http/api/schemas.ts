import { skillLoadErrorSchema, skillMetadataSchema } from "@knack/core/schemas";
import * as z from "zod";

export const text = z.string();
export const words = z.string().min(1, "must be a text");
export const yes = z.boolean("must be true or false");
export const count = z
  .int("must be a whole number of at least 0")
  .min(0, "must be a whole number of at least 0");
export const anything = z.record(z.string(), z.unknown());
export const nothing = z.strictObject({});

const atLeastOne = z
  .int("must be a whole number of at least 1")
  .min(1, "must be a whole number of at least 1");
/** At least 1; a larger number than the maximum means the maximum. */
export const upTo = (most: number) => atLeastOne.overwrite((number) => Math.min(number, most));
export const limit = (usual: number, most: number, what: string) =>
  upTo(most).default(usual).describe(`How many ${what} at most: ${usual} by default, at most ${most}.`);
export const offset = count.default(0).describe("How many to skip.");
export const cursor = text.optional().describe("next_cursor of the page before.");
export const filter = (description: string) =>
  text
    .overwrite((given) => given.trim())
    .optional()
    .describe(description);

export const failure = z.strictObject({
  error: z.strictObject({
    code: text,
    message: text,
    candidates: z.array(text).exactOptional(),
    candidates_total: count.exactOptional(),
  }),
});

/** What is wrong with a file, whose path is said beside it. */
export const problem = skillLoadErrorSchema.omit({ path: true });
export const { scope } = skillMetadataSchema.shape;
export const skillStatus = z.enum(["active", "disabled", "ineligible", "shadowed", "unverified"]);

export const edge = z.strictObject({
  from: text,
  to: text,
  type: z.enum(["requires_now", "requires_later", "reference_only"]),
  alternative: yes,
  line: count,
  text,
});

export const searchReason = z.enum(["exact_path", "exact_name", "prefix", "token_overlap", "body_match"]);

export const decision = z.enum(["allow", "deny", "confirm"]);
export const lockedFileChange = z.enum(["changed", "missing", "extra", "link", "unknown"]);

export const fault = z.strictObject({ code: text, message: text });
export const keptFile = z.strictObject({ path: text, kept_as: text });
export const runStatus = z.enum(["RUNNING", "SUCCEEDED", "FAILED"]);
export const run = z.strictObject({
  id: text,
  skill: text,
  key: text,
  status: runStatus,
  cached: yes,
  task: text.nullable(),
  inputs: z.array(
    z.strictObject({
      ...{ role: text, kind: text, path: text, sha256: text },
      ...{ confirmed_by: text.exactOptional(), confirmed_at: text.exactOptional() },
    }),
  ),
  params: anything,
  artifacts: z.array(
    z.strictObject({ name: text, path: text, sha256: text, size_bytes: count, format: text, version: count }),
  ),
  // Not strict: the function of a skill may say more.
  evidences: z.array(z.looseObject({ kind: text, data: anything })),
  error: fault.nullable(),
  isolation: text.nullable(),
  made_by: text.nullable(),
  started_at: text,
  finished_at: text.nullable(),
  kept: z.array(keptFile).exactOptional(),
});
export const runInputs = z.array(z.strictObject({ role: text.exactOptional(), path: text }));

export const taskStatus = z.enum([
  "PENDING",
  "READY",
  "IN_PROGRESS",
  "BLOCKED",
  "DONE",
  "FAILED",
  "ABANDONED",
]);
export const blockedReason = z.enum([
  "WAITING_INPUT",
  "WAITING_APPROVAL",
  "WAITING_SKILL",
  "WAITING_EXTERNAL",
]);
export const requirementKind = z.enum(["FILE", "CONFIRMATION", "SKILL_OUTPUT"]);
