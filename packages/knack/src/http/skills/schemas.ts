import { skillLoadErrorSchema } from "@knack/core/schemas";
import * as z from "zod";
import { count, policyAnswer, searchAnswer, skillReport, text, yes } from "../api/schemas.ts";
import { LANGUAGES } from "./language-of.ts";

/** Schemas of the answers that the pages Skills and Skill show. */

const found = searchAnswer.shape.results.element.shape;
const counts = z.record(z.string(), count);
export const scope = found.skill.shape.scope;
export const state = z.enum([...skillReport.shape.skill.shape.status.options, "denied"]);
export const language = z.enum(LANGUAGES);

export const skillList = z.strictObject({
  total: count,
  fitting: count,
  offset: count,
  rows: z.array(
    z.strictObject({
      id: text,
      name: text,
      description: text,
      path: text,
      scope,
      client: text.nullable(),
      state,
      reason: text,
      language,
      for_people_only: yes,
      last_used: z.iso.date().nullable(),
      group: z.enum(["all", "fits", "nearly", "inactive"]),
      match: z
        .strictObject({
          reason: z.enum([...found.reason.options, "words"]),
          matched: z.array(text),
          score: z.number(),
        })
        .nullable(),
    }),
  ),
  filters: z.strictObject({ scope: counts, state: counts, language: counts, client: counts }),
  skills: count,
  left_out: count,
  waiting_for_trust: count,
  snapshot_version: count,
});

export const leftOut = z.strictObject({
  total: count,
  offset: count,
  rows: z.array(
    z.strictObject({ path: text, name: text, problems: z.array(skillLoadErrorSchema.omit({ path: true })) }),
  ),
});

const edge = skillReport.shape.edges.element;
export const skillEdges = z.strictObject({
  out: z.array(edge.omit({ from: true }).extend({ id: text.nullable(), rules: z.array(text) })),
  in: z.array(edge.omit({ to: true }).extend({ id: text.nullable(), rules: z.array(text) })),
  dangling: z.array(z.strictObject({ name: text, line: count })),
});

export const findings = z.strictObject({
  findings: z.array(
    z.strictObject({
      rule: text,
      severity: z.enum(["error", "warning", "note"]),
      category: z.enum(["security", "quality"]),
      file: text,
      line: count.nullable(),
      message: text,
      suppressed: text.nullable(),
    }),
  ),
  total: count,
});

export const lock = z.strictObject({
  state: z.enum(["unlocked", "same", "changed"]),
  file: text,
  source: text.nullable(),
  commit: text.nullable(),
  changes: z.array(
    z.strictObject({
      path: text,
      kind: z.enum(["changed", "missing", "extra", "link", "unknown"]),
      detail: text.nullable(),
      diff: text.nullable(),
    }),
  ),
  total: count,
});

export const triggers = z.strictObject({
  hit_at_1: z.number(),
  recall_at_k: z.number(),
  false_triggers: count,
  taken: count,
  positives: count,
  negatives: count,
  k: count,
  total: count,
  cases: z.array(
    z.strictObject({
      prompt: text,
      should_trigger: yes,
      rank: count.nullable(),
      ok: yes,
      source: text,
      first: text.nullable(),
    }),
  ),
  faults: z.array(z.strictObject({ path: text, message: text, line: count.exactOptional() })),
});

export const policyState = z.strictObject({
  decision: z.enum(["allow", "deny", "confirm"]),
  reason: text,
  enabled: yes,
});

export const policyChange = z.strictObject({ action: z.enum(["allow", "deny", "enable", "disable"]) });
export const policyChanged = policyAnswer.extend({ undo: text.nullable() });
export const undoBody = z.strictObject({ undo: text });
export const undone = z.strictObject({ file: text });
