import type { Role } from "../context/guides/role-guide.ts";
import type { Catalog } from "../open-catalog.ts";
import { findMentions } from "../resolve/mentions.ts";
import type { SearchResult, SearchResults } from "../search/search.ts";
import { KnackError } from "../shared/errors.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { formsOf } from "./pattern.ts";
import type { Routing, RoutingRule } from "./routing-file.ts";

/** A search chooses for a person only if its best result is likely and clearly ahead; docs/routing.md has the figures. */
const MIN_SCORE = 0.85;
const MIN_LEAD = 0.3;

/** How many results are compared: copies of the best do not count as rivals. */
export const LOOK_AT = 8;

export function confidentResult({ results, truncated }: SearchResults): SearchResult | undefined {
  const [best, ...rest] = results;
  if (!best?.fits) return undefined;
  const next = rest.find(({ skill }) => !isCopy(skill, best.skill));
  if (best.reason === "exact_path" || best.reason === "exact_name")
    return next?.reason === best.reason ? undefined : best;
  // Beyond the compared results there may be a rival.
  if (!next && truncated) return undefined;
  // Copies share the probability of what they copy; the beginning of a name is as much of each.
  const copies = rest.filter(({ skill, reason }) => reason !== "prefix" && isCopy(skill, best.skill));
  const score = copies.reduce((sum, copy) => sum + copy.score, best.score);
  return score >= MIN_SCORE && score - (next?.score ?? 0) >= MIN_LEAD ? best : undefined;
}

type NamedResult = SearchResult["skill"];

function isCopy(a: NamedResult, b: NamedResult): boolean {
  return a.name === b.name && a.description === b.description;
}

interface Route {
  readonly role: Role;
  readonly skill: string;
  readonly source: "rule" | "search";
  /** The id of the rule. */
  readonly rule: string | null;
  /** The words of the request that matched. */
  readonly matched: readonly string[];
}

export interface OtherRoute extends Route {
  /** Only of a search. */
  readonly score: number | null;
}

/** Which role and skill a request goes to, and why. */
export interface RouteAnswer extends Omit<Route, "skill" | "source"> {
  /** Its name; `null` only if there are no rules and no root skill. */
  readonly skill: string | null;
  readonly reason: string;
  readonly source: Route["source"] | "default";
  /** Alternatives: other rules that match, in their order, then skills that fit. */
  readonly others: readonly OtherRoute[];
}

const MAX_OTHER_RULES = 5;
const MAX_OTHER_SKILLS = 3;
/** A skill with a lower score is not listed as an alternative. */
const MIN_CLOSE = 0.1;
const MAX_WORDS = 8;
const MAX_WORD = 60;

/** The first rule that matches, else a named skill, else a confident search result, else the default. */
export function routeToSkill(
  text: string,
  { routing, catalog }: { readonly routing: Routing; readonly catalog: Catalog },
): { readonly answer: RouteAnswer; readonly skill: SkillMetadata | null } {
  if (typeof text !== "string") throw new KnackError("INVALID_PARAM", "The request must be text.");
  const forms = formsOf(text);
  const rules = routing.routes.flatMap((rule): Matching[] => {
    const matched = wordsOf(rule, forms);
    return matched ? [{ rule, matched }] : [];
  });
  // Such a skill is never a search result; a rule may name it.
  const accepts = (skill: SkillMetadata): boolean =>
    routing.accepts(skill) && skill.disableModelInvocation !== true;
  const search = catalog.search(text, { limit: LOOK_AT, accepts });
  const [first, ...rest] = rules;
  const found = first ? undefined : findByWords(text, search, catalog.skills.filter(accepts));
  const { default: fallback } = routing;
  const skill = first?.rule.skill ?? found?.skill ?? fallback.skill;
  const seen = new Set([skill?.path, ...rest.map(({ rule }) => rule.skill.path)]);
  const close = search.results.filter(
    (result) => result.fits && result.score >= MIN_CLOSE && !seen.has(result.skill.path),
  );
  const others = [
    ...rest.slice(0, MAX_OTHER_RULES).map((other) => ({ ...byRule(other), score: null })),
    ...close
      .slice(0, MAX_OTHER_SKILLS)
      .map((result) => ({ ...bySearch(result.skill, result.matched, routing), score: result.score })),
  ];
  const byDefault = { role: fallback.role, skill: skill?.name ?? null, source: "default" as const };
  const chosen = first ? byRule(first) : found && bySearch(found.skill, found.words, routing);
  const { role, skill: name, source, rule, matched } = chosen ?? { ...byDefault, rule: null, matched: [] };
  const reason = first?.rule.reason ?? found?.reason ?? fallback.reason;
  return { answer: { role, skill: name, reason, source, rule, matched, others }, skill };
}

/** The one skill that the request names, else the one that the search is confident about. */
function findByWords(text: string, search: SearchResults, skills: readonly SkillMetadata[]) {
  const mentions = findMentions(text, skills);
  const paths = new Set(mentions.map((mention) => ("skill" in mention ? mention.skill.path : undefined)));
  const [named] = mentions;
  if (named && "skill" in named && paths.size === 1) {
    const reason = "No rule matches, and the request names this skill.";
    return { skill: named.skill, words: [named.text], reason };
  }
  const best = confidentResult(search);
  if (!best) return undefined;
  const reason = `No rule matches, and the search is confident about this skill (${best.score.toFixed(2)}).`;
  return { skill: best.skill, words: best.matched, reason };
}

interface Matching {
  readonly rule: RoutingRule;
  readonly matched: readonly string[];
}

function byRule({ rule: { role, skill, id }, matched }: Matching): Route {
  return { role, skill: skill.name, source: "rule", rule: id, matched };
}

function bySearch(skill: SkillMetadata, words: readonly string[], routing: Routing): Route {
  const matched = shorten(words);
  return { role: roleFor(skill, routing), skill: skill.name, source: "search", rule: null, matched };
}

/** The role of the first rule that uses this skill, else the default's. */
function roleFor(skill: SkillMetadata, { routes, default: fallback }: Routing): Role {
  return routes.find((rule) => rule.skill.path === skill.path)?.role ?? fallback.role;
}

function wordsOf({ patterns }: RoutingRule, forms: readonly string[]): readonly string[] | undefined {
  const found = patterns.map((pattern) => pattern.find(forms)).filter((words) => words !== undefined);
  return found.length === 0 ? undefined : shorten(found);
}

/** Each once, and short enough to read. */
function shorten(words: readonly string[]): string[] {
  const byFolded = new Map<string, string>();
  for (const word of words.map((text) => text.trim())) {
    const folded = word.toLowerCase();
    if (word !== "" && !byFolded.has(folded)) byFolded.set(folded, word);
  }
  return [...byFolded.values()]
    .slice(0, MAX_WORDS)
    .map((word) => (word.length > MAX_WORD ? `${word.slice(0, MAX_WORD - 1).toWellFormed()}…` : word));
}
