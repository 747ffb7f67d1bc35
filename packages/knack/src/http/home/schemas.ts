import { skillLoadErrorSchema } from "@knack/core/schemas";
import * as z from "zod";
import { CLIENT_NAMES } from "../../client-names.ts";
import type { ConnectedClient } from "../../mcp/clients/connected-clients.ts";
import type { OpenQuestion } from "../../mcp/elicitation/page-questions.ts";
import type { ConnectPreview } from "../../setup/connect-client.ts";
import type { ListedClient } from "../../setup/look-at-clients.ts";
import { count, planStatus, route, searchAnswer, text, yes } from "../api/schemas.ts";
import type { LockedChange } from "./lock-check.ts";
import type { BlockedTask, LeftOut } from "./needs.ts";

/** Schemas of the answers that the pages Home, Try and Connect show. */

const few = <T extends z.ZodType>(one: T) => z.strictObject({ count, first: z.array(one) });
const task = planStatus.shape.tasks.element.shape;

export const needs = z.strictObject({
  trust: z.strictObject({
    trusted: yes,
    project: text,
    waiting: count,
    code: z.array(z.strictObject({ skill: text, change: z.enum(["new", "changed", "gone"]) })),
  }),
  left_out: few(
    z.strictObject({
      path: text,
      problems: z.array(skillLoadErrorSchema.omit({ path: true })),
    } satisfies Record<keyof LeftOut, z.ZodType>),
  ),
  changed: few(
    z.strictObject({
      skill: text,
      path: text,
      files: z.array(
        z.strictObject({
          path: text,
          kind: z.enum(["changed", "missing", "extra", "link", "unknown"]),
        }),
      ),
      file_count: count,
    }) satisfies z.ZodType<LockedChange>,
  ),
  blocked: few(
    z.strictObject({
      plan: text,
      plan_title: text,
      task: text,
      title: text,
      reason: task.blocked_reason.unwrap(),
      missing: z.array(
        z.strictObject({
          name: text,
          kind: task.requirements.element.shape.kind,
          have: count,
          min_count: count,
        }),
      ),
    }) satisfies z.ZodType<BlockedTask>,
  ),
});

const uses = { loads: count, searches: count, runs: count };
const usedSkill = z.strictObject({ id: text.nullable(), name: text, uses: count });
export const use = z.strictObject({
  days: z.array(z.strictObject({ day: z.iso.date(), ...uses })),
  clients: z.array(z.strictObject({ client: text, ...uses })),
  most_used: z.array(usedSkill),
  never_used: z.strictObject({
    count,
    first: z.array(z.strictObject({ id: text, name: text, description: text })),
  }),
});

export const skillUse = z.strictObject({
  days: z.array(
    z.strictObject({
      day: z.iso.date(),
      clients: z.array(z.strictObject({ client: text, loads: count, found: count, runs: count })),
    }),
  ),
});

export const cost = z.strictObject({
  skills: count,
  catalog: count,
  instructions: count,
  tools: count,
  tool_count: count,
  largest: z.array(z.strictObject({ id: text, name: text, tokens: count })),
});

export const clients = z.strictObject({
  clients: z.array(
    z.strictObject({
      id: text,
      name: text,
      version: text,
      transport: z.enum(["stdio", "http"]),
      since: z.iso.datetime(),
      last_seen: z.iso.datetime(),
      calls: count,
    }) satisfies z.ZodType<ConnectedClient>,
  ),
  count,
});

export const questions = z.strictObject({
  questions: z.array(
    z.strictObject({
      id: text,
      client: text,
      tool: text,
      skill: text.nullable(),
      path: text.nullable(),
      executes: yes,
      reason: text,
      text,
      can_last: yes,
      asked_at: z.iso.datetime(),
      until: z.iso.datetime(),
    }) satisfies z.ZodType<OpenQuestion>,
  ),
  count,
});

export const questionBody = z.strictObject({
  answer: z.enum(["allow", "deny", "dismiss"]),
  always: yes.exactOptional(),
});
export const questionAnswer = z.strictObject({ id: text, answer: questionBody.shape.answer, always: yes });

export const trial = z.strictObject({
  search: searchAnswer,
  route,
  skill: z.strictObject({ id: text, name: text, path: text }).nullable(),
  dispatch: z
    .strictObject({ frame: text.nullable(), files: z.array(text), refusal: text.nullable() })
    .nullable(),
  answers: z.array(
    z.strictObject({
      tool: text,
      params: z.record(z.string(), z.unknown()),
      status: z.enum(["success", "partial", "error"]),
      text,
      tokens: count,
    }),
  ),
  questions: z.array(text),
});

const client = z.enum(CLIENT_NAMES);
export const connections = z.strictObject({
  clients: z.array(
    z.strictObject({
      client,
      title: text,
      installed: yes,
      program: text.nullable(),
      file: text,
      setup: yes.nullable(),
      transport: z.enum(["stdio", "http"]).nullable(),
      current: yes.nullable(),
      reads: z.array(text).readonly(),
      error: text.exactOptional(),
      /** What to type instead of pressing the button. */
      command: text,
    } satisfies Record<keyof ListedClient | "command", z.ZodType>),
  ),
  mcp: text,
});

const action = z.enum(["set up", "remove"]);
export const connectPreview = z.strictObject({
  client,
  title: text,
  action,
  file: text,
  changes: yes,
  diff: z.array(text).readonly(),
  remarks: z.array(text).readonly(),
  seen: text,
}) satisfies z.ZodType<ConnectPreview>;

export const connectBody = z.strictObject({ action, seen: text });
export const connectAnswer = z.strictObject({
  client,
  file: text,
  target: text.exactOptional(),
  action: z.enum(["set up", "removed", "unchanged"]),
  changed: yes,
  backup: text.nullable(),
  check: z.strictObject({ command: text.nullable(), connected: yes.nullable(), message: text }).nullable(),
  reads: z.array(text).readonly(),
});
