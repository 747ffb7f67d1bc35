import { KnackError } from "../shared/errors.ts";

import type { JudgedResult, SearchLimits, SearchReason, SearchResult, SearchResults } from "./search.ts";
import { isForeign } from "./text/function-words.ts";
import { translate } from "./text/translate.ts";

/**
 * How much another phrasing counts beside the query: a skill that only the phrasing finds can come first, one that a single poor
 * phrasing finds does not. Measured in `bench/search/phrasings.ts`.
 */
const PHRASING = 0.6;
/** The score of a skill that a phrasing does not find. */
const NOT_FOUND = 0.003;

type Results = readonly JudgedResult[];

/** What one phrasing found, and how much it counts. */
interface Run {
  readonly results: Results;
  readonly weight: number;
}

/**
 * The results of several phrasings of one request as one list, best first. Skills are ordered by the product of their scores, each
 * raised to the weight of its phrasing. A skill fits if it does so on average over the phrasings: by chance one of several always
 * comes near something.
 */
function fuse(runs: readonly Run[], least: number): SearchResult[] {
  const byPath = Map.groupBy(
    runs.flatMap(({ results }, run) => results.map((result) => ({ run, result }))),
    ({ result }) => result.skill.path,
  );
  const ordered = [...byPath.values()]
    .map((found) => {
      const scores = new Map(found.map(({ run, result }) => [run, result.score]));
      const value = runs.reduce(
        (sum, { weight }, run) => sum + weight * Math.log((scores.get(run) ?? 0) + NOT_FOUND),
        0,
      );
      const results = found.map(({ result }) => result);
      const likelihood = results.reduce((sum, result) => sum + result.likelihood, 0) / runs.length;
      return { value, result: together(results, likelihood >= least) };
    })
    // The sort is stable: of equals, the one that the query found first comes first.
    .sort((a, b) => b.value - a.value)
    .map(({ result }) => result);
  return withFallingScores(ordered);
}

/** Only the query itself can name a skill: another phrasing that happens to be a name must not come before everything. */
const NAMES = new Set<SearchReason>(["exact_path", "exact_name", "prefix"]);

/** One skill as several phrasings found it. */
function together(found: Results, fits: boolean): SearchResult {
  const [first] = found as readonly [JudgedResult];
  const isClose = found.some(({ reason }) => reason !== "body_match");
  return {
    skill: first.skill,
    score: Math.max(...found.map(({ score }) => score)),
    reason: isClose ? "token_overlap" : "body_match",
    matched: [...new Set(found.flatMap(({ matched }) => matched))],
    fits,
  };
}

/** A score says how well the best phrasing fits, but never more than that of the skill before, so that scores agree with the order. */
function withFallingScores(ordered: readonly SearchResult[]): SearchResult[] {
  let most = 1;
  return ordered.map((result) => {
    most = Math.min(most, result.score);
    return { ...result, score: most };
  });
}

/** How many other phrasings a search may have. */
const MAX_PHRASINGS = 4;
/** This many skills of each phrasing are compared, however few are asked for. */
const COMPARED = 50;

/** The other phrasings of a query that say something new. */
export function otherPhrasings(query: string, also: readonly string[] = []): string[] {
  if (!Array.isArray(also) || also.some((text) => typeof text !== "string"))
    throw new KnackError("INVALID_PARAM", "Other phrasings (also) must be a list of texts.");
  if (also.length > MAX_PHRASINGS)
    throw new KnackError(
      "INVALID_PARAM",
      `At most ${MAX_PHRASINGS} other phrasings (also) can be given, not ${also.length}.`,
    );
  const texts = new Set(also.map((text) => text.trim()));
  return [...texts].filter((text) => text !== "" && text !== query.trim());
}

/** How much the catalog knows of a phrasing: one in another language may find little, and then it is not to decide the order. */
const knowledge = (text: string, results: Results): number =>
  isForeign(text) ? Math.max(0, ...results.map(({ likelihood }) => likelihood)) : 1;

/** A phrasing in a language in which the catalog has next to nothing says neither what fits nor what comes first. */
const saysSomething = (text: string, results: Results): boolean =>
  !isForeign(text) || results.some(({ fits }) => fits);

interface Search {
  readonly leastLikelihood: number;
  search(query: string, limits: SearchLimits): SearchResults<JudgedResult>;
}

/** A search as it is meant for a caller: with other phrasings, and translated where it is in another language and nothing fits. */
export function searchRequest(
  search: Search,
  phrasings: readonly string[],
  limits: SearchLimits,
): SearchResults {
  const [query = "", ...also] = phrasings;
  const found =
    also.length > 0 ? searchPhrasings(search, phrasings, limits) : asAsked(search.search(query, limits));
  if (found.fitting > 0 || !phrasings.every(isForeign)) return found;
  return searchTranslated(search, query, limits) ?? found;
}

/** By English words for those of the query; `matched` shows them: `Rechnung→invoice`. */
function searchTranslated(search: Search, query: string, limits: SearchLimits): SearchResults | undefined {
  const translation = translate(query);
  if (!translation) return;
  const { results, ...found } = asAsked(search.search(translation.text, { ...limits, isPhrasing: true }));
  const shown = (word: string): string => {
    const typed = translation.typed.get(word);
    return typed === undefined ? word : `${typed}→${word}`;
  };
  const named = results.map((result) => ({ ...result, matched: result.matched.map(shown) }));
  return results.length > 0 ? { ...found, results: named, translated: true } : undefined;
}

const asAsked = ({ results, ...found }: SearchResults<JudgedResult>): SearchResults => ({
  ...found,
  results: results.map(({ likelihood: _, ...result }) => result),
});

/**
 * Searches with several phrasings of one request; the first is the query itself. What that names comes first. Where only one
 * phrasing says something, it is as if it had been asked alone.
 */
function searchPhrasings(
  search: Search,
  phrasings: readonly string[],
  { limit, accepts }: SearchLimits,
): SearchResults {
  const depth = { limit: Math.max(COMPARED, limit), accepts };
  const all = phrasings.map((text, at) => search.search(text, { ...depth, isPhrasing: at > 0 }));
  const named = (all[0]?.results ?? []).filter(({ reason }) => NAMES.has(reason));
  const isNamed = new Set(named.map(({ skill }) => skill.path));
  const runs = all.map(({ results: found }, at) => {
    const results = found.filter(({ skill }) => !isNamed.has(skill.path));
    return { results, weight: (at === 0 ? 1 : PHRASING) * knowledge(phrasings[at] ?? "", results) };
  });
  const telling = runs.filter(({ results }, at) => saysSomething(phrasings[at] ?? "", results));
  const [first, ...others] = telling;
  const found = [
    ...named.map(({ likelihood: _, ...result }) => result),
    ...(first && others.length === 0
      ? first.results.map(({ likelihood: _, ...result }) => result)
      : fuse(first ? telling : runs, search.leastLikelihood)),
  ];
  const results = found.slice(0, limit);
  return {
    results,
    count: results.length,
    fitting: results.filter(({ fits }) => fits).length,
    truncated: found.slice(limit).some(({ fits }) => fits),
    ...(all.some(({ partial }) => partial) && { partial: true }),
  };
}
