import { approvalsOf } from "@knack/core/config";
import { estimateTokens } from "@knack/core/text";
import { approvalChanges, type Engine } from "@knack/engine";
import * as z from "zod";
import { confirmer, whyRefused } from "../../host/access.ts";
import { leftOut } from "../../host/reports.ts";
import { connectedClientSchema } from "../../mcp/connected-clients.ts";
import { openQuestionSchema, questionAnswerSchema } from "../../mcp/page-questions.ts";
import { denied, notFound } from "../../options.ts";
import { type Api, route } from "../api/route.ts";
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
import { MAX_DAYS, useOfSkill, useReport } from "../home/use-log.ts";

const MAX_LISTED = 20;
const MAX_PROBLEMS = 5;
const MAX_LARGEST = 10;
/** Plans that are read to their tasks; more are seldom under way at once. */
const MAX_PLANS = 50;

const DAYS = 30;
const days = upTo(MAX_DAYS)
  .default(DAYS)
  .describe(`How many days back, today included: ${DAYS} by default, at most ${MAX_DAYS}.`);
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
    handle: async ({ query }, { catalog, recentUse }) => {
      const { skills } = await catalog();
      return useReport(await recentUse(query.days), query.days, skills);
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
    handle: async ({ params, query }, { catalog, recentUse }) => {
      const { skill } = findEntry(await catalog(), params.id);
      return { days: useOfSkill(await recentUse(query.days), query.days, skill) };
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
    handle: async ({ params: { id }, body, caller }, { agents }) => {
      // What lasts is policy.
      const why = body.always ? whyRefused("owner", caller) : undefined;
      if (why !== undefined) throw denied(why);
      const by = body.answer === "allow" ? await confirmer() : undefined;
      if (!agents.answer(id, { ...body, by }))
        throw notFound("The question is no longer open: it was answered, or the agent stopped waiting.");
      return { id, ...body };
    },
  }),
];

async function findNeeds({ catalog, host, changedSkills }: Api) {
  const current = await catalog();
  const { project, engine } = host;
  const [changed, blocked] = await Promise.all([changedSkills(current), blockedTasks(engine)]);
  const trusted = project.isTrusted;
  return {
    trust: {
      trusted,
      project: current.projectRoot,
      waiting: current.waitingForTrust,
      // The code of typed skills asks again after each change, once the project is trusted.
      code: trusted ? unapproved(engine, current.projectRoot, project.place) : [],
    },
    left_out: firstOf(
      [...leftOut(current)].map(([path, found]) => ({
        path,
        problems: found.slice(0, MAX_PROBLEMS).map(({ path: _, ...problem }) => problem),
      })),
    ),
    changed: firstOf(changed),
    blocked: firstOf(blocked),
  };
}

function unapproved(engine: Engine, projectRoot: string, place: Parameters<typeof approvalsOf>[1]) {
  if (place.env.KNACK_TRUST === "all") return [];
  return approvalChanges(approvalsOf(projectRoot, place), engine.approvals)
    .filter(({ change }) => change !== "gone")
    .map(({ skill, change }) => ({ skill, change }));
}

async function blockedTasks(engine: Engine) {
  const open = (await engine.plans()).filter(({ tasks, done }) => done < tasks).slice(0, MAX_PLANS);
  const found = [];
  for (const { plan, title } of open) {
    const status = await engine.planStatus(plan);
    for (const task of status?.tasks ?? []) {
      if (task.status !== "BLOCKED" || task.blocked_reason === null) continue;
      const missing = task.requirements
        .filter(({ required, satisfied }) => required && !satisfied)
        .map(({ name, kind, have, min_count }) => ({ name, kind, have, min_count }));
      const named = { plan, plan_title: title, task: task.id, title: task.title };
      found.push({ ...named, reason: task.blocked_reason, missing });
    }
  }
  return found;
}

function firstOf<T>(all: readonly T[]): { readonly count: number; readonly first: readonly T[] } {
  return { count: all.length, first: all.slice(0, MAX_LISTED) };
}

async function catalogCost({ host, mcp, catalog }: Api) {
  await catalog();
  const session = host.runtime.session();
  const offered = (await session.visibleTo("model")).map(({ id, name, description }) => ({
    id,
    name,
    tokens: estimateTokens(`${name}: ${description}`),
  }));
  const { instructions, tools } = mcp.offer();
  return {
    skills: offered.length,
    /** Names and descriptions of all of them, if a client shows every one. */
    catalog: offered.reduce((sum, { tokens }) => sum + tokens, 0),
    instructions: estimateTokens(instructions),
    tools: estimateTokens(JSON.stringify(tools.map(({ _meta, ...tool }) => tool))),
    tool_count: tools.length,
    largest: offered.toSorted((a, b) => b.tokens - a.tokens).slice(0, MAX_LARGEST),
  };
}
