import { route as chooseRoute, loadRouting } from "@knack/core/internal";
import * as z from "zod";
import { graphReport } from "../../host/report/skill-report.ts";
import { typedSkillReport } from "../../host/report/typed-skill-report.ts";
import { version } from "../../version.ts";
import { graphOf } from "../graph-of.ts";
import { HttpError } from "../server/http-error.ts";
import { pageOf } from "./page-of.ts";
import { readChoice, readLimit, readSwitch, readText } from "./read-query.ts";
import { json, type Parameter, type Route } from "./route.ts";
import * as schema from "./schemas.ts";
import { streamCatalog } from "./stream-catalog.ts";

const SCOPES = ["repo", "user", "bundled"] as const;
const scope: Parameter = {
  name: "scope",
  in: "query",
  description: "Only skills of this scope.",
  schema: z.enum(SCOPES),
};
const limit = (description: string): Parameter => ({
  name: "limit",
  in: "query",
  description,
  schema: schema.atLeastOne,
});
const question: Parameter = {
  name: "q",
  in: "query",
  description: "Words to search for.",
  schema: schema.text,
  required: true,
};

/** How long a route waits for the search index. */
const INDEX_MS = 30_000;

/** Routes about all skills. */
export const catalogRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/skills",
    summary: "The catalog, as knack list --json prints it; one page if limit is given.",
    parameters: [
      scope,
      { name: "all", in: "query", description: "Include inactive skills.", schema: schema.yes },
      limit("Page size, at most 1000. Without it: the whole catalog."),
      {
        name: "cursor",
        in: "query",
        description: "next_cursor of the previous page; 409 if the catalog changed too much since.",
        schema: schema.text,
      },
    ],
    answer: schema.catalog,
    failures: [409],
    handle: async ({ query }, { catalog }) => {
      const current = await catalog();
      const wanted = readChoice(query, "scope", SCOPES);
      const all = readSwitch(query, "all");
      const entries = current.entries.filter(
        ({ skill, status }) => (all || status === "active") && (!wanted || skill.scope === wanted),
      );
      const shown = ({ skill, status, reason }: (typeof entries)[number]): object =>
        all ? { ...skill, status, reason } : skill;
      if (query.get("limit") === null && query.get("cursor") === null) {
        return new Response(streamCatalog(current, entries, shown), {
          headers: { "Content-Type": "application/json; charset=utf-8" },
        });
      }
      const page = pageOf(entries, readLimit(query, 100, 1_000), query.get("cursor"));
      const isFirst = query.get("cursor") === null;
      return json({
        skills: page.entries.map(shown),
        // Diagnostics belong to the whole list, so only the first page has them.
        errors: isFirst ? current.errors : [],
        warnings: isFirst ? current.warnings : [],
        truncated: current.truncated,
        snapshot_version: current.snapshot_version,
        total: entries.length,
        next_cursor: page.next,
      });
    },
  },
  {
    method: "GET",
    path: "/api/search",
    summary: "Skills that match some words, best first, as knack search --json prints them.",
    parameters: [
      question,
      {
        name: "also",
        in: "query",
        description:
          "The same request in other words or another language; may be repeated, up to four times.",
        schema: schema.text.array(),
      },
      limit("Maximum number of results; clamped to skills.search.maxLimit."),
      scope,
    ],
    answer: schema.searchAnswer,
    handle: async ({ query }, { catalog }) => {
      const current = await catalog();
      const { defaultLimit, maxLimit } = current.config.skills.search;
      return json(
        await current.searchAsync(readText(query, "q"), {
          limit: readLimit(query, defaultLimit, maxLimit),
          scope: readChoice(query, "scope", SCOPES),
          also: query.getAll("also"),
        }),
      );
    },
  },
  {
    method: "GET",
    path: "/api/graph",
    summary: "Which skill needs which, as knack graph --json prints it.",
    answer: schema.graph,
    handle: async (_asked, { catalog }) => {
      return json(graphReport(await graphOf(await catalog())));
    },
  },
  {
    method: "GET",
    path: "/api/route",
    summary: "Which role and skill a request goes to, as knack route --json prints it.",
    parameters: [question],
    answer: schema.route,
    handle: async ({ query }, { catalog, host }) => {
      const request = readText(query, "q");
      const current = await catalog();
      // Names and descriptions alone could lead to another skill.
      if (!(await current.isSearchable(INDEX_MS)))
        throw new HttpError(503, "CONFLICT", "The search index is still being made; try again later.");
      return json(
        chooseRoute(request, { catalog: current, routing: loadRouting(current, host.engine.isTrusted) }),
      );
    },
  },
  {
    method: "GET",
    path: "/api/registry",
    summary: "The typed skills and their contracts; in an untrusted project only the built-in ones.",
    answer: z.strictObject({ skills: z.array(schema.typedSkill), count: schema.count }),
    handle: async (_asked, { host: { engine, live } }) => {
      await live.refresh();
      const skills = engine.skills.filter(({ declared }) => declared === null || engine.isTrusted);
      return json({ skills: skills.map(typedSkillReport), count: skills.length });
    },
  },
  {
    method: "GET",
    path: "/api/status",
    summary: "What this server serves, and how many skills are hidden until you trust the project.",
    answer: schema.status,
    handle: async (_asked, { catalog, host: { engine, project }, origin }) => {
      const current = await catalog();
      return json({
        version,
        project: current.projectRoot,
        trusted: project.isTrusted,
        waiting_for_trust: current.waitingForTrust,
        skills: current.skills.length,
        errors: current.errors.length,
        warnings: current.warnings.length,
        typed_skills: engine.skills.length,
        snapshot_version: current.snapshot_version,
        mcp: `${origin}/mcp`,
      });
    },
  },
  {
    method: "GET",
    path: "/api/events",
    summary:
      "Server-sent events: catalog when the skills change, log for each log record, clients and questions when these lists change. Last-Event-ID resumes a stream.",
    parameters: [
      {
        name: "answers",
        in: "query",
        description: "Somebody is there to answer questions of agents: they wait on /api/questions.",
        schema: schema.yes,
      },
      {
        name: "Last-Event-ID",
        in: "header",
        description: "Id of the last event received.",
        schema: schema.text,
      },
    ],
    type: "text/event-stream",
    failures: [406],
    handle: async ({ header, query, signal }, { events }) => {
      if (header("accept")?.includes("application/json") && !header("accept")?.includes("text/event-stream"))
        throw new HttpError(
          406,
          "INVALID_PARAM",
          "Events are available only as a stream. Send Accept: text/event-stream.",
        );
      const answers = readSwitch(query, "answers");
      return new Response(await events.open(header("last-event-id"), signal, { answers }), {
        headers: { "Content-Type": "text/event-stream; charset=utf-8" },
      });
    },
  },
];
