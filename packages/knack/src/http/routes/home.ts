import { KnackError, SkillError } from "@knack/core";
import * as z from "zod";
import { whyRefused } from "../../host/access.ts";
import { connectedClientSchema } from "../../mcp/connected-clients.ts";
import { openQuestionSchema, questionAnswerSchema } from "../../mcp/page-questions.ts";
import { route } from "../api/route.ts";
import {
  blockedReason,
  count,
  lockedFileChange,
  problem,
  requirementKind,
  text,
  upTo,
  yes,
} from "../api/schemas.ts";
import { findEntry } from "../find-entry.ts";
import { catalogCost, findNeeds } from "../home/needs.ts";
import { MAX_DAYS, useOfSkill, useReport } from "../home/use-log.ts";

const DAYS = 30;
const days = upTo(MAX_DAYS)
  .default(DAYS)
  .describe(`How many days back, today included: ${DAYS} by default, at most ${MAX_DAYS}.`);
/** Of a long list the first entries and how many there are. */
const few = <T extends z.ZodType>(one: T) => z.strictObject({ count, first: z.array(one) });
const uses = { loads: count, searches: count, runs: count };

/** Routes about what waits for the user, what agents use and who is connected. Reading them is not logged. */
export const homeRoutes = [
  route("GET /api/needs", "reader", {
    summary:
      "What waits for you: trust, skills that were left out, skills that changed since they were locked, blocked tasks.",
    answer: z.strictObject({
      trust: z.strictObject({
        trusted: yes,
        project: text,
        waiting: count,
        code: z.array(z.strictObject({ skill: text, change: z.enum(["new", "changed", "gone"]) })),
      }),
      left_out: few(z.strictObject({ path: text, problems: z.array(problem) })),
      changed: few(
        z.strictObject({
          skill: text,
          path: text,
          files: z.array(z.strictObject({ path: text, kind: lockedFileChange })),
          file_count: count,
        }),
      ),
      blocked: few(
        z.strictObject({
          plan: text,
          plan_title: text,
          task: text,
          title: text,
          reason: blockedReason,
          missing: z.array(
            z.strictObject({ name: text, kind: requirementKind, have: count, min_count: count }),
          ),
        }),
      ),
    }),
    handle: (_asked, api) => findNeeds(api),
  }),
  route("GET /api/use", "reader", {
    summary: "How many loads, searches and runs the log has per day and client, and which skills were used.",
    query: { days },
    answer: z.strictObject({
      days: z.array(z.strictObject({ day: z.iso.date(), ...uses })),
      clients: z.array(z.strictObject({ client: text, ...uses })),
      most_used: z.array(z.strictObject({ id: text.nullable(), name: text, uses: count })),
      never_used: few(z.strictObject({ id: text, name: text, description: text })),
    }),
    handle: async ({ query }, { catalog, use }) => {
      const { skills } = await catalog();
      return useReport(await use.last(query.days), query.days, skills);
    },
  }),
  route("GET /api/skills/{id}/use", "reader", {
    summary: "How often one skill was loaded, found by a search or run, per day and client.",
    query: { days },
    answer: z.strictObject({
      days: z.array(
        z.strictObject({
          day: z.iso.date(),
          clients: z.array(z.strictObject({ client: text, loads: count, found: count, runs: count })),
        }),
      ),
    }),
    handle: async ({ params, query }, { catalog, use }) => {
      const { skill } = findEntry(await catalog(), params.id);
      return { days: useOfSkill(await use.last(query.days), query.days, skill) };
    },
  }),
  route("GET /api/cost", "reader", {
    summary: "What the skills cost a model before it has loaded one, in tokens (about four letters each).",
    answer: z.strictObject({
      skills: count,
      catalog: count,
      instructions: count,
      tools: count,
      tool_count: count,
      largest: z.array(z.strictObject({ id: text, name: text, tokens: count })),
    }),
    handle: (_asked, api) => catalogCost(api),
  }),
  route("GET /api/clients", "reader", {
    summary: 'The MCP clients of this server, and of each "knack mcp" that serves this project.',
    answer: z.strictObject({
      clients: z.array(connectedClientSchema),
      count,
    }),
    handle: (_asked, { agents }) => {
      const clients = agents.clients();
      return { clients, count: clients.length };
    },
  }),
  route("GET /api/questions", "reader", {
    summary:
      "Questions of agents whose client cannot ask its user. They wait here while somebody who may answer has /api/events?answers=true open.",
    answer: z.strictObject({
      questions: z.array(openQuestionSchema),
      count,
    }),
    handle: (_asked, { agents }) => {
      const questions = agents.questions();
      return { questions, count: questions.length };
    },
  }),
  route("POST /api/questions/{id}", "approver", {
    summary:
      "Answers a question. A dismissed question is not a refusal; always keeps an allow where can_last is true.",
    isRecorded: true,
    body: questionAnswerSchema,
    answer: z.strictObject({ id: text, answer: questionAnswerSchema.shape.answer, always: yes }),
    handle: ({ params: { id }, body, caller }, { agents }) => {
      // What lasts is policy.
      const why = body.always ? whyRefused("owner", caller) : undefined;
      if (why !== undefined) throw new KnackError("ACCESS_DENIED", why);
      if (!agents.answer(id, body))
        throw new SkillError(
          "NOT_FOUND",
          "The question is no longer open: it was answered, or the agent stopped waiting.",
        );
      return { id, ...body };
    },
  }),
];
