import { basename, dirname } from "node:path";
import { skillCatalogSchema, skillMetadataSchema } from "@knack/core/schemas";
import { ROLES } from "@knack/core/session";
import * as z from "zod";
import { whyRefused } from "../../host/access.ts";
import { leftOut } from "../../host/reports.ts";
import { version } from "../../version.ts";
import { route } from "../api/route.ts";
import {
  anything,
  count,
  limit,
  offset,
  problem,
  searchReason,
  skillStatus,
  text,
  upTo,
  yes,
} from "../api/schemas.ts";
import { httpError, streamed } from "../error-response.ts";
import { listSkills, scriptLanguage, skillListQuery, skillState } from "../skills/skill-list.ts";
import { tryRequest } from "../skills/try-request.ts";
import { knownSkills } from "./registry.ts";

const MAX_PROBLEMS = 20;

const counts = z.record(z.string(), count);

const listedSkill = skillMetadataSchema.extend({
  status: skillStatus,
  reason: text,
  state: skillState,
  language: scriptLanguage,
  for_people_only: yes,
  last_used: z.iso.date().nullable(),
  group: z.enum(["all", "fits", "nearly", "inactive"]),
  match: z
    .strictObject({
      reason: z.enum([...searchReason.options, "words"]),
      matched: z.array(text),
      score: z.number(),
    })
    .nullable(),
});

const otherRoute = z.strictObject({
  role: z.enum(ROLES),
  skill: text,
  source: z.enum(["rule", "search"]),
  rule: text.nullable(),
  matched: z.array(text),
  score: z.number().nullable(),
});
const trial = z.strictObject({
  route: otherRoute.omit({ score: true }).extend({
    skill: text.nullable(),
    reason: text,
    source: z.enum(["rule", "search", "default"]),
    others: z.array(otherRoute),
  }),
  skill: z.strictObject({ id: text, name: text, path: text }).nullable(),
  dispatch: z
    .strictObject({ frame: text.nullable(), files: z.array(text), refusal: text.nullable() })
    .nullable(),
  answers: z.array(
    z.strictObject({
      tool: text,
      params: anything,
      status: z.enum(["success", "partial", "error"]),
      text,
      tokens: count,
    }),
  ),
  questions: z.array(text),
});

/** Routes about all skills. Reading them is not logged. */
export const catalogRoutes = [
  route("GET /api/skills", "reader", {
    summary:
      "The skills by name, as knack list --json has them, or those that a query finds: the ranking of /api/search, then inactive skills with these words. With limit one window of them.",
    query: skillListQuery,
    answer: skillCatalogSchema.extend({
      skills: z.array(listedSkill),
      total: count,
      fitting: count,
      offset,
      /** How many skills each choice of a filter has, over all skills. */
      filters: z.strictObject({ scope: counts, state: counts, language: counts, client: counts }),
      known: count,
      left_out: count,
      waiting_for_trust: count,
    }),
    handle: ({ query }, api) => listSkills(api, query),
  }),
  route("GET /api/search", "reader", {
    summary:
      "Skills that match some words, best first, as knack search --json prints them. With try=true also what an agent would get for this request: route, frame and tool answers. Nothing is recorded or loaded.",
    query: {
      q: text.describe("Words to search for, or a request."),
      also: z
        .array(text)
        .describe("The same request in other words or another language; may be repeated, up to four times."),
      limit: upTo(Number.MAX_SAFE_INTEGER)
        .optional()
        .describe("Maximum number of results; clamped to skills.search.maxLimit."),
      scope: skillListQuery.scope,
      try: yes.default(false).describe("Also what the request would lead to."),
      skill: text
        .optional()
        .describe("With try: load and dispatch this skill instead of the one that the request leads to."),
    },
    answer: z.strictObject({
      results: z.array(
        z.strictObject({
          skill: skillMetadataSchema,
          score: z.number(),
          reason: searchReason,
          matched: z.array(text),
          fits: yes,
        }),
      ),
      count,
      fitting: count,
      truncated: yes,
      partial: z.literal(true).exactOptional(),
      translated: z.literal(true).exactOptional(),
      trial: trial.exactOptional(),
    }),
    failures: [404, 409],
    handle: async ({ query: { q, limit: wanted, try: isTrial, skill, ...options } }, api) => {
      const current = await api.catalog();
      const { defaultLimit, maxLimit } = current.config.skills.search;
      const asked = { ...options, limit: Math.min(wanted ?? defaultLimit, maxLimit) };
      return isTrial ? tryRequest(q, skill, asked, api) : current.searchAsync(q, asked);
    },
  }),
  route("GET /api/left-out", "reader", {
    summary: "Skills that are not in the catalog because something is wrong with them, and what.",
    query: { offset, limit: limit(100, 500, "skills") },
    answer: z.strictObject({
      total: count,
      offset: count,
      rows: z.array(z.strictObject({ path: text, name: text, problems: z.array(problem) })),
    }),
    handle: async ({ query }, { catalog }) => {
      const all = [...leftOut(await catalog())];
      return {
        total: all.length,
        offset: query.offset,
        rows: all.slice(query.offset, query.offset + query.limit).map(([path, problems]) => ({
          path,
          name: basename(path) === "SKILL.md" ? basename(dirname(path)) : basename(path),
          problems: problems.slice(0, MAX_PROBLEMS).map(({ path: _, ...rest }) => rest),
        })),
      };
    },
  }),
  route("GET /api/status", "reader", {
    summary: "What this server serves, and how many skills are hidden until you trust the project.",
    answer: z.strictObject({
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
    }),
    handle: async (_asked, { catalog, host, origin }) => {
      const current = await catalog();
      return {
        version,
        project: current.projectRoot,
        trusted: host.project.isTrusted,
        waiting_for_trust: current.waitingForTrust,
        skills: current.skills.length,
        errors: current.errors.length,
        warnings: current.warnings.length,
        typed_skills: knownSkills(host).length,
        snapshot_version: current.snapshot_version,
        mcp: `${origin}/mcp`,
      };
    },
  }),
  route("GET /api/events", "reader", {
    summary:
      "Server-sent events: catalog when the skills change, log for each log record, plans when the run of a plan ends, clients and questions when these lists change, locks when a lock does. Last-Event-ID resumes a stream.",
    query: {
      answers: yes
        .default(false)
        .describe(
          "Somebody is there to answer questions of agents: they wait on /api/questions. Counts for those who may answer.",
        ),
    },
    headers: { "Last-Event-ID": "Id of the last event received." },
    type: "text/event-stream",
    failures: [406],
    handle: async ({ header, query, signal, caller }, { events }) => {
      const accept = header("accept") ?? "";
      if (accept.includes("application/json") && !accept.includes("text/event-stream"))
        throw httpError(
          406,
          "INVALID_PARAM",
          "Events are available only as a stream. Send Accept: text/event-stream.",
        );
      // Nobody waits for somebody who may not answer.
      const answers = query.answers && whyRefused("approver", caller) === undefined;
      const feed = await events.open(header("last-event-id"), signal, answers, caller);
      return streamed(feed, { "Content-Type": "text/event-stream; charset=utf-8" });
    },
  }),
];
