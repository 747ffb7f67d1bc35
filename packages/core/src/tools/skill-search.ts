import * as z from "zod";
import { trustNotice } from "../access/find-skill.ts";
import { isVisibleTo } from "../access/permit.ts";
import type { Tool, ToolContext } from "../access/tool.ts";
import { cutDescription, fitDescriptions } from "../context/blocks/catalog-block.ts";
import { escapeMessage, escapePath, escapeXml, oneLine } from "../context/blocks/escape.ts";
import { SEARCH_REASONS, type SearchResult } from "../search/search.ts";
import { type SkillMetadata, skillScopeSchema } from "../skill/schema.ts";
import { answerData, parameters } from "./parameters.ts";

const PARAMETERS = parameters({
  query: z.string().describe("The task in the user's words, or a name"),
  also: z.array(z.string()).optional().describe("The same in other words, and in English"),
  limit: z.int().min(1).optional(),
  scope: skillScopeSchema.optional(),
});

const DATA = answerData({
  results: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      path: z.string(),
      scope: skillScopeSchema,
      reason: z.enum(SEARCH_REASONS),
      score: z.number(),
      fits: z.boolean(),
    }),
  ),
  count: z.int(),
  fitting: z.int(),
  truncated: z.boolean(),
});

/** So that "No installed skill fits" is not taken for more than was looked at. */
const PARTIAL =
  "\nOnly names and descriptions were searched: the skills' texts are still being read. Search again in some seconds.";

function otherScopes(fitting: number): string {
  if (fitting <= 0) return "";
  return `\n${fitting} more ${fitting === 1 ? "fits" : "fit"} in another scope; search without scope to see all.`;
}

/** Document 004 §7.1: the skills for some words, best first. */
export const skillSearch: Tool = {
  name: "skill_search",
  description:
    "Find the user's skills for a task: tested instructions, best first. Call it before you start a task.",
  inputSchema: PARAMETERS.inputSchema,
  dataSchema: DATA.jsonSchema,
  readOnly: true,
  role: "reader",
  searchHint: "find a skill for a task",
  idempotent: true,
  run: async (params, context) => {
    const { query, also, limit, scope } = PARAMETERS.read("skill_search", params);
    const { actor } = context;
    const accepts =
      actor === "model"
        ? (skill: SkillMetadata) => isVisibleTo(actor, skill, context.picture.now)
        : undefined;
    const search = (where: typeof scope) =>
      context.catalog.searchAsync(query, { also, limit, scope: where, accepts });
    const inScope = await search(scope);
    // A model may have had to choose a scope, and does not know what that hides.
    const everywhere = scope && actor === "model" ? await search(undefined) : inScope;
    const found = inScope.fitting === 0 ? everywhere : inScope;
    const { results, count, fitting, truncated, partial } = found;
    const fit = results.filter(({ fits }) => fits);
    const remarks = otherScopes(everywhere.fitting - fitting) + (partial ? PARTIAL : "");
    const place = {
      catalog: context.catalog,
      paths: context.paths,
      maxTextBytes: context.maxTextBytes - Buffer.byteLength(remarks),
    };
    const names = (some: readonly SearchResult[]): string[] => some.map(({ skill }) => skill.name);
    const decided = { results: names(fit), weaker: names(results.filter(({ fits }) => !fits)) };
    await context.observe("SKILL_SEARCHED", decided, { query, ...(also ? { also } : {}) });
    return {
      data: {
        results: results.map(({ skill, score, reason, fits }) => ({
          name: skill.name,
          description: skill.description,
          path: skill.path,
          scope: skill.scope,
          reason,
          score,
          fits,
        })),
        count,
        fitting,
        truncated,
      } satisfies z.infer<typeof DATA>,
      text: (fitting > 0 ? nameFitting(fit, truncated, place) : nameNearest(results, place)) + remarks,
    };
  },
};

type Place = Pick<ToolContext, "catalog" | "paths" | "maxTextBytes">;

/** If nothing fits, this many are named: a model may know better, but should not have to read much. */
const MAX_NEAREST = 3;

function nameNearest(results: readonly SearchResult[], { catalog, ...place }: Place): string {
  // Of those that wait nobody knows here what they are about.
  const head =
    catalog.waitingForTrust > 0
      ? `None of the available skills fits. ${escapeMessage(trustNotice(catalog))} Tell the user; until then continue without a skill.`
      : "Nothing fits. Continue without a skill, or search with other words.";
  if (results.length === 0) return head;
  const note = "\nNearest, probably about something else:";
  return `${head}${note}${layOut(results.slice(0, MAX_NEAREST), place, head + note)}`;
}

function nameFitting(results: readonly SearchResult[], truncated: boolean, place: Place): string {
  const head = `${results.length === 1 ? "1 skill fits" : `${results.length} skills fit`}, best first. Load one with skill_load.`;
  const more = truncated ? "\nMore skills fit; give a larger limit or more words to see others." : "";
  return `${head}${layOut(results, place, head + more)}${more}`;
}

const SHORTENED = "\nDescriptions are shortened.";

/** A line for each skill with its path below, escaped as in the catalog; in a small room with shorter descriptions. */
function layOut(results: readonly SearchResult[], place: Omit<Place, "catalog">, around: string): string {
  const room = place.maxTextBytes - Buffer.byteLength(around);
  const descriptions = results.map(({ skill }) => oneLine(skill.description));
  const bare = results.map(({ skill, reason }) => ({
    head: `\n- ${escapeXml(oneLine(skill.name))} (${skill.scope}, ${reason}): `,
    tail: place.paths === "absolute" ? `\n  ${escapePath(skill.path)}` : "",
  }));
  const lines = (length: number): string =>
    bare
      .map(
        ({ head, tail }, at) => head + escapeXml(cutDescription(descriptions[at] ?? "", length, cost)) + tail,
      )
      .join("");
  const left = room - Buffer.byteLength(bare.map(({ head, tail }) => head + tail).join(""));
  const length = fitDescriptions(descriptions, left, left - SHORTENED.length, cost) ?? 0;
  return lines(length) + (length === Number.POSITIVE_INFINITY ? "" : SHORTENED);
}

function cost(description: string): number {
  return Buffer.byteLength(escapeXml(description));
}
