import { relative } from "node:path";
import { type Catalog, type Edge, type Entry, SkillError } from "@knack/core";
import { decide, lintSkills, unverifiedError } from "@knack/core/internal";
import { readChoice, readCount } from "../api/read-query.ts";
import { json, type Parameter, type Route } from "../api/route.ts";
import { atLeastOne, count, text } from "../api/schemas.ts";
import { findEntry } from "../find-entry.ts";
import { graphOf } from "../graph-of.ts";
import { HttpError } from "../server/http-error.ts";
import { listLeftOut } from "./left-out.ts";
import { lockReport } from "./lock-report.ts";
import { policyRoutes } from "./policy-routes.ts";
import * as schema from "./schemas.ts";
import { listSkills } from "./skill-list.ts";
import { triggerReport } from "./trigger-report.ts";

const MAX_ROWS = 500;

const query = (name: string, description: string, shape: Parameter["schema"] = text): Parameter => ({
  name,
  in: "query",
  description,
  schema: shape,
});
const id: Parameter = {
  name: "id",
  in: "path",
  description: "The id of a skill, or its name or scope:name if only one skill has it.",
  schema: text,
  required: true,
};
const window = [
  query("offset", "How many to skip.", count),
  query("limit", `How many at most: 100 by default, at most ${MAX_ROWS}.`, atLeastOne),
];

/** A page must not wait for a skill with hundreds of large files: the rest is for `knack lint`. */
const MAX_LINTED = 2 * 1024 * 1024;
const MAX_FINDINGS = 500;

/** Routes for the pages Skills and Skill. Reading them is not logged. */
export const skillPageRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/skill-list",
    summary:
      "A window of all skills by name, or of those that a query finds: the ranking of /api/search, then inactive skills with these words.",
    parameters: [
      query("q", "Words to search for."),
      query("scope", "Only skills of this scope.", schema.scope),
      query("state", "Only skills in this state.", schema.state),
      query(
        "language",
        "Only skills whose description is in this language, by its letters.",
        schema.language,
      ),
      query("client", "Only skills of this client's folder; empty: of Knack's own folders."),
      ...window,
    ],
    answer: schema.skillList,
    handle: async ({ query: asked }, api) => {
      const filters = {
        scope: readChoice(asked, "scope", schema.scope.options),
        state: readChoice(asked, "state", schema.state.options),
        language: readChoice(asked, "language", schema.language.options),
        client: asked.get("client") ?? undefined,
      };
      return json(await listSkills(api, asked.get("q") ?? "", filters, readWindow(asked)));
    },
  },
  {
    method: "GET",
    path: "/api/left-out",
    summary: "Skills that are not in the catalog because something is wrong with them, and what.",
    parameters: window,
    answer: schema.leftOut,
    handle: async ({ query: asked }, { catalog }) => {
      const { offset, limit } = readWindow(asked);
      return json(listLeftOut(await catalog(), offset, limit));
    },
  },
  {
    method: "GET",
    path: "/api/skills/{id}/edges",
    summary: "Which skills this one needs, which need it, and the sentence and rules behind each edge.",
    parameters: [id],
    answer: schema.skillEdges,
    failures: [404, 409],
    handle: async ({ params }, { catalog }) => {
      const current = await catalog();
      return json(await edgesOf(current, findEntry(current, params.id ?? "").skill));
    },
  },
  {
    method: "GET",
    path: "/api/skills/{id}/findings",
    summary: "What knack lint says of one skill.",
    parameters: [id],
    answer: schema.findings,
    failures: [403, 404, 409],
    handle: async ({ params }, { catalog }) => {
      const { skill } = findVerified(await catalog(), params.id ?? "");
      const all = lintSkills([skill.dir], MAX_LINTED);
      const findings = all.slice(0, MAX_FINDINGS).map((one) => ({
        rule: one.rule,
        severity: one.severity,
        category: one.category,
        file: relative(skill.dir, one.path),
        line: one.line ?? null,
        message: one.message,
        suppressed: one.suppressed ?? null,
      }));
      return json({ findings, total: all.length });
    },
  },
  {
    method: "GET",
    path: "/api/skills/{id}/lock",
    summary: "Whether a skill is as it was locked, and how it differs; what knack diff says.",
    parameters: [id],
    answer: schema.lock,
    failures: [404, 409],
    handle: async ({ params }, { catalog, host }) => {
      const current = await catalog();
      return json(await lockReport(current, findEntry(current, params.id ?? "").skill, host.project));
    },
  },
  {
    method: "GET",
    path: "/api/skills/{id}/triggers",
    summary: "The trigger tests beside a skill, and whether they hold; what knack eval says of it.",
    parameters: [id],
    answer: schema.triggers,
    failures: [403, 404, 409],
    handle: async ({ params }, { catalog }) => {
      const current = await catalog();
      return json(await triggerReport(current, findVerified(current, params.id ?? "").skill));
    },
  },
  {
    method: "GET",
    path: "/api/skills/{id}/policy",
    summary: "Whether a model may load this skill now, and the rule or default that decides.",
    parameters: [id],
    answer: schema.policyState,
    failures: [404, 409],
    handle: async ({ params }, { catalog, host }) => {
      const { skill, status, reason } = findEntry(await catalog(), params.id ?? "");
      const { permissions } = (await host.live.config.current()).config;
      const decided = decide(permissions, { tool: "skill_load", skill, actor: "model", readsSkill: true });
      const refused = status === "unverified" ? { decision: "deny" as const, reason } : {};
      return json({ ...decided, ...refused, enabled: status !== "disabled" });
    },
  },
  ...policyRoutes,
];

function readWindow(asked: URLSearchParams): { offset: number; limit: number } {
  const offset = asked.get("offset") ?? "0";
  if (!/^\d{1,9}$/.test(offset))
    throw new HttpError(400, "INVALID_PARAM", '"offset" must be a whole number.');
  return { offset: Number(offset), limit: readCount(asked, "limit", 100, MAX_ROWS) };
}

async function edgesOf(catalog: Catalog, { path, name }: { readonly path: string; readonly name: string }) {
  const { nodes, edges, dangling } = await graphOf(catalog);
  const ids = new Map(nodes.map((node) => [node.path, node.id]));
  if (!ids.has(path))
    throw new SkillError("NOT_FOUND", "Only active skills have edges; enable the skill first.");
  const facts = ({ type, alternative, line, text: sentence, reason }: Edge) => ({
    type,
    alternative,
    line,
    text: sentence,
    rules: [...(reason?.rules ?? [])],
  });
  return {
    out: edges
      .filter(({ fromPath }) => fromPath === path)
      .map((edge) => ({
        ...facts(edge),
        to: edge.to,
        id: edge.toPath === null ? null : (ids.get(edge.toPath) ?? null),
      })),
    in: edges
      .filter(({ toPath }) => toPath === path)
      .map((edge) => ({ ...facts(edge), from: edge.from, id: ids.get(edge.fromPath) ?? null })),
    dangling: dangling
      .filter(({ from }) => from === name)
      .map(({ name: missing, line }) => ({ name: missing, line })),
  };
}

/** A skill that must not be read under `skills.locked` is not read here either. */
function findVerified(catalog: Catalog, id: string): Entry {
  const entry = findEntry(catalog, id);
  if (entry.status === "unverified") throw unverifiedError(entry.skill, entry.reason);
  return entry;
}
