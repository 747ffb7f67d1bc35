import * as z from "zod";
import { trustNotice } from "../access/find-skill.ts";
import type { Tool } from "../access/tool.ts";
import { escapePath } from "../context/blocks/escape.ts";
import { lineForModel } from "../context/blocks/wrapper-tags.ts";
import type { Catalog } from "../open-catalog.ts";
import { SEARCH_REASONS, type SearchResult } from "../search/search.ts";
import { type SkillMetadata, skillScopeSchema } from "../skill/schema.ts";
import { answer, parameters } from "./parameters.ts";

const PARAMETERS = parameters({
  query: z.string().describe("What the skill is for: a name, a few words, or the whole task."),
  limit: z.int().min(1).optional().describe("How many results at most."),
  scope: skillScopeSchema.optional().describe("Only skills of this scope."),
});

const DATA = answer({
  results: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      path: z.string(),
      scope: skillScopeSchema,
      reason: z.enum(SEARCH_REASONS),
      score: z.number(),
    }),
  ),
  count: z.int(),
  truncated: z.boolean(),
});

/** A record is for reading later; a page that was pasted in is not. */
const MAX_RECORDED = 500;

/** Document 004 §7.1: the skills for some words, best first. */
export const skillSearch: Tool = {
  name: "skill_search",
  description:
    "Find skills for a task among all that are installed, including those not listed in the context. Returns names, descriptions and paths, best first; no results means that no skill fits. Load one with skill_load.",
  inputSchema: PARAMETERS.inputSchema,
  dataSchema: DATA.jsonSchema,
  readOnly: true,
  idempotent: true,
  run: async (params, context) => {
    const { query, limit, scope } = PARAMETERS.read("skill_search", params);
    const { actor } = context;
    const accepts =
      actor === "model" ? (skill: SkillMetadata) => context.isVisibleTo(actor, skill) : undefined;
    const { results, count, truncated } = context.catalog.search(query, { limit, scope, accepts });
    const names = results.map(({ skill }) => skill.name);
    await context.observe("SKILL_SEARCHED", { query: query.slice(0, MAX_RECORDED), results: names });
    return {
      data: {
        results: results.map(({ skill, score, reason }) => ({
          name: skill.name,
          description: skill.description,
          path: skill.path,
          scope: skill.scope,
          reason,
          score,
        })),
        count,
        truncated,
      } satisfies z.infer<typeof DATA>,
      text: describe(results, truncated, context.catalog),
    };
  },
};

function describe(results: readonly SearchResult[], truncated: boolean, catalog: Catalog): string {
  // Of those that wait nobody knows here what they are about.
  if (results.length === 0 && catalog.waitingForTrust > 0)
    return `None of the available skills fits. ${trustNotice(catalog)} Tell the user; until then continue without a skill.`;
  if (results.length === 0)
    return "No installed skill fits. Continue without a skill, or search with other words.";
  const lines = results.map(
    ({ skill, reason }) =>
      `- ${lineForModel(skill.name)} (${skill.scope}, ${reason}): ${lineForModel(skill.description)}\n  ${escapePath(skill.path)}`,
  );
  const more = truncated ? "\nMore skills fit; give a larger limit or more words to see others." : "";
  return `${results.length === 1 ? "1 skill fits" : `${results.length} skills fit`}, best first. Load one with skill_load.\n${lines.join("\n")}${more}`;
}
