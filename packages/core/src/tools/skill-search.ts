import { relative } from "node:path";
import * as z from "zod";
import { trustNotice } from "../access/find-skill.ts";
import { isVisibleTo } from "../access/permit.ts";
import type { Tool, ToolContext } from "../access/tool.ts";
import { cutDescription, fitDescriptions } from "../context/blocks/catalog-block.ts";
import { escapeMessage, escapePath, escapeXml, oneLine } from "../context/blocks/escape.ts";
import { SEARCH_REASONS, type SearchResult } from "../search/search.ts";
import { isForeign } from "../search/text/function-words.ts";
import { fold } from "../shared/fold.ts";
import { type SkillMetadata, skillScopeSchema } from "../skill/schema.ts";
import { answerData, parameters } from "./parameters.ts";

const PARAMETERS = parameters({
  query: z.string().describe("The task in the user's words, or a name"),
  also: z.array(z.string()).optional().describe("2-3 phrasings of 4+ words, one in English"),
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

/** So that "Nothing fits" is not taken for more than was looked at. */
const PARTIAL =
  "\nOnly names and descriptions were searched: the skills' texts are still being read. Search again in some seconds.";

/** Models follow this, and then find the skill. */
const IN_ENGLISH = "\nThe skills are in English: search again with an English phrasing.";

function otherScopes(fitting: number): string {
  if (fitting <= 0) return "";
  return `\n${fitting} more ${fitting === 1 ? "fits" : "fit"} in another scope; search without scope to see all.`;
}

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
      context.catalog.searchAsync(query, {
        also,
        limit,
        scope: where,
        accepts,
        foldsCopies: true,
        isVaried: true,
      });
    const inScope = await search(scope);
    // A model may have had to choose a scope.
    const everywhere = scope && actor === "model" ? await search(undefined) : inScope;
    const found = inScope.fitting === 0 ? everywhere : inScope;
    const { results, count, fitting, truncated, partial, translated } = found;
    const isOnlyForeign = (fitting === 0 || translated) && [query, ...(also ?? [])].every(isForeign);
    const remarks = [
      otherScopes(everywhere.fitting - fitting),
      isOnlyForeign ? IN_ENGLISH : "",
      partial ? PARTIAL : "",
    ].join("");
    const place = {
      catalog: context.catalog,
      paths: context.paths,
      maxTextBytes: context.maxTextBytes - Buffer.byteLength(remarks),
    };
    const names = (fitting: boolean): string[] =>
      results.filter(({ fits }) => fits === fitting).map(({ skill }) => skill.name);
    const decided = { results: names(true), weaker: names(false) };
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
      text: nameCandidates(results, truncated, place) + remarks,
    };
  },
};

type Place = Pick<ToolContext, "catalog" | "paths" | "maxTextBytes">;

/** A model judges better than a threshold, so it sees near ones too, after those that fit; the first few in detail. */
function nameCandidates(
  results: readonly SearchResult[],
  truncated: boolean,
  { catalog, paths, maxTextBytes }: Place,
): string {
  const fit = results.filter(({ fits }) => fits);
  const near = results.filter(({ fits }) => !fits);
  const head = fit.length > 0 ? headOfFitting(fit.length, near.length) : headOfNearest(near.length, catalog);
  const more = truncated ? "\nMore skills fit; give a larger limit or more words to see others." : "";
  const room = maxTextBytes - Buffer.byteLength(head + more);
  const shown = (path: string): string => (paths === "absolute" ? path : relative(catalog.cwd, path));
  return head + layOut([...fit, ...near], { skills: catalog.skills, shown }, room) + more;
}

function headOfFitting(fitting: number, near: number): string {
  const fit = fitting === 1 ? "1 skill fits" : `${fitting} skills fit`;
  return `${fit}, best first${near > 0 ? "; then the nearest others" : ""}. Load one with skill_load.`;
}

function headOfNearest(near: number, catalog: ToolContext["catalog"]): string {
  // Nobody knows what the waiting skills are about.
  const waiting = catalog.waitingForTrust > 0 ? `${escapeMessage(trustNotice(catalog))} Tell the user. ` : "";
  return near > 0
    ? `${waiting}None is a clear match; the nearest:`
    : `${waiting}Nothing fits. Continue without a skill, or search with other words.`;
}

/** Lengths of descriptions, in characters. */
const DETAILED = 3;
const DETAILED_LENGTH = 200;
const BRIEF_LENGTH = 80;
const PLACES = 2;

function otherPlaces(copies: readonly SkillMetadata[], shown: (path: string) => string): string {
  const named = copies.slice(0, PLACES).map(({ path }) => escapePath(shown(path)));
  const more = copies.length > PLACES ? ` and ${copies.length - PLACES} more` : "";
  return copies.length > 0 ? `; also ${named.join(", ")}${more}` : "";
}

/** A path below a name that does not tell which skill is meant, with those of its copies; shorter descriptions in little room. */
function layOut(
  results: readonly SearchResult[],
  { skills, shown }: { readonly skills: readonly SkillMetadata[]; shown(path: string): string },
  room: number,
): string {
  const names = new Set(results.map(({ skill }) => fold(skill.name)));
  const having = Map.groupBy(
    skills.filter(({ name }) => names.has(fold(name))),
    ({ name }) => fold(name),
  );
  const isShared = ({ name }: SkillMetadata): boolean => (having.get(fold(name))?.length ?? 0) > 1;
  const descriptions = results.map(({ skill }, at) =>
    cutDescription(oneLine(skill.description), at < DETAILED ? DETAILED_LENGTH : BRIEF_LENGTH, cost),
  );
  const bare = results.map(({ skill, reason, fits, copies = [] }) => ({
    head: `\n- ${escapeXml(oneLine(skill.name))} (${skill.scope}, ${reason}${fits ? ", fits" : ""}): `,
    tail: isShared(skill)
      ? `
  ${escapePath(shown(skill.path))}${otherPlaces(copies, shown)}`
      : "",
  }));
  const left = room - Buffer.byteLength(bare.map(({ head, tail }) => head + tail).join(""));
  const length = fitDescriptions(descriptions, left, left, cost) ?? 0;
  return bare
    .map(
      ({ head, tail }, at) => head + escapeXml(cutDescription(descriptions[at] ?? "", length, cost)) + tail,
    )
    .join("");
}

function cost(description: string): number {
  return Buffer.byteLength(escapeXml(description));
}
