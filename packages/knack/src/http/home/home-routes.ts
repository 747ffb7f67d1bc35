import type { Catalog } from "@knack/core";
import { whyRefused } from "../../host/access/required-role.ts";
import { readCount, readText } from "../api/read-query.ts";
import { json, type Parameter, type Route } from "../api/route.ts";
import { atLeastOne, text } from "../api/schemas.ts";
import { findEntry } from "../find-entry.ts";
import { HttpError } from "../server/http-error.ts";
import { catalogCost } from "./catalog-cost.ts";
import { findNeeds } from "./needs.ts";
import { readBody } from "./read-body.ts";
import * as schema from "./schemas.ts";
import { tryRequest } from "./try-request.ts";
import { byName, byPath, MAX_DAYS, type UseLog } from "./use-log.ts";

const DAYS = 30;
const MAX_LISTED = 10;
const days: Parameter = {
  name: "days",
  in: "query",
  description: `How many days back, today included: ${DAYS} by default, at most ${MAX_DAYS}.`,
  schema: atLeastOne,
};
const named = (name: string, description: string): Parameter => ({
  name,
  in: "path",
  description,
  schema: text,
  required: true,
});

/** Routes about what waits for the user, what agents use and who is connected. Reading them is not logged. */
export const homeRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/needs",
    summary:
      "What waits for you: trust, skills that were left out, skills that changed since they were locked, blocked tasks.",
    answer: schema.needs,
    handle: async (_asked, api) => json(await findNeeds(api)),
  },
  {
    method: "GET",
    path: "/api/use",
    summary: "How many loads, searches and runs the log has per day and client, and which skills were used.",
    parameters: [days],
    answer: schema.use,
    handle: async ({ query }, { catalog, use }) => {
      const count = readCount(query, "days", DAYS, MAX_DAYS);
      const current = await catalog();
      await use.refresh();
      return json({
        days: use.days(count).map(({ day, uses }) => ({ day, ...uses })),
        clients: use.clients(count).map(({ client, uses }) => ({ client, ...uses })),
        ...usedSkills(current, use.totals(count)),
      });
    },
  },
  {
    method: "GET",
    path: "/api/skills/{id}/use",
    summary: "How often one skill was loaded, found by a search or run, per day and client.",
    parameters: [named("id", "The id of a skill, or its name or scope:name if only one skill has it."), days],
    answer: schema.skillUse,
    failures: [404, 409],
    handle: async ({ params, query }, { catalog, use }) => {
      const count = readCount(query, "days", DAYS, MAX_DAYS);
      const { skill } = findEntry(await catalog(), params.id ?? "");
      await use.refresh();
      const found = use.skill(skill, count);
      return json({ days: found.map(({ day, clients }) => ({ day, clients: clientsOf(clients) })) });
    },
  },
  {
    method: "GET",
    path: "/api/cost",
    summary: "What the skills cost a model before it has loaded one, in tokens (about four letters each).",
    answer: schema.cost,
    handle: async (_asked, api) => json(await catalogCost(api)),
  },
  {
    method: "GET",
    path: "/api/clients",
    summary: 'The MCP clients of this server, and of each "knack mcp" that serves this project.',
    answer: schema.clients,
    handle: (_asked, { clients }) => {
      const all = clients.list();
      return json({ clients: all, count: all.length });
    },
  },
  {
    method: "GET",
    path: "/api/questions",
    summary:
      "Questions of agents whose client cannot ask its user. They wait here while /api/events?answers=true is open.",
    answer: schema.questions,
    handle: (_asked, { questions }) => {
      const all = questions.list();
      return json({ questions: all, count: all.length });
    },
  },
  {
    method: "POST",
    path: "/api/questions/{id}",
    isRecorded: true,
    summary:
      "Answers a question. A dismissed question is not a refusal; always keeps an allow where can_last is true.",
    parameters: [named("id", "The id of a question.")],
    body: schema.questionBody,
    answer: schema.questionAnswer,
    failures: [404],
    handle: ({ params, body, caller }, { questions }) => {
      const { answer, always = false } = readBody(schema.questionBody, body);
      // What lasts is policy.
      const why = always ? whyRefused("owner", caller ?? undefined) : undefined;
      if (why !== undefined) throw new HttpError(403, "ACCESS_DENIED", why);
      const id = params.id ?? "";
      if (!questions.answer(id, { answer, always }))
        throw new HttpError(
          404,
          "NOT_FOUND",
          "The question is no longer open: it was answered, or the agent stopped waiting.",
        );
      return json({ id, answer, always });
    },
  },
  {
    method: "GET",
    path: "/api/try",
    summary:
      "What a request would lead to: ranking, route, frame, and the tool answers that an agent would get. Nothing is recorded or loaded.",
    parameters: [
      { name: "q", in: "query", description: "The request.", schema: text, required: true },
      {
        name: "skill",
        in: "query",
        description: "Load and dispatch this skill instead of the one that the request leads to.",
        schema: text,
      },
    ],
    answer: schema.trial,
    failures: [404, 409],
    handle: async ({ query }, api) =>
      json(await tryRequest(readText(query, "q"), query.get("skill") ?? undefined, api)),
  },
];

function clientsOf<T extends object>(clients: ReadonlyMap<string, T>): object[] {
  return [...clients].map(([client, uses]) => ({ client, ...uses }));
}

/** Skills that are gone stay in the ranking, without an id: what was used does not change with the catalog. */
function usedSkills({ skills }: Catalog, totals: ReturnType<UseLog["totals"]>): object {
  const known = new Map(skills.flatMap((skill) => [[byPath(skill.path), skill] as const]));
  const ranked = [...totals].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MAX_LISTED);
  const names = new Map(skills.map((skill) => [byName(skill.name), skill]));
  const never = skills.filter((skill) => !totals.has(byPath(skill.path)) && !totals.has(byName(skill.name)));
  return {
    most_used: ranked.map(([key, uses]) => {
      const skill = known.get(key) ?? names.get(key);
      return { id: skill?.id ?? null, name: skill?.name ?? nameIn(key), uses };
    }),
    never_used: {
      count: never.length,
      first: never.slice(0, MAX_LISTED).map(({ id, name, description }) => ({ id, name, description })),
    },
  };
}

/** Of a path, the folder of the skill. */
function nameIn(key: string): string {
  const [, kind, rest = ""] = /^(path|name) (.*)$/s.exec(key) ?? [];
  return kind === "path" ? (rest.split(/[/\\]/).at(-2) ?? rest) : rest;
}
