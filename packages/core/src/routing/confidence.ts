import type { SearchResult, SearchResults } from "../search/search.ts";

/**
 * When a search is confident enough to choose for a person. A score is the probability that the skill was meant. The best
 * result counts if it is more likely than not, with a clear lead over the next. In a small catalog scores are low, so it
 * also counts if no other result is near, or if nothing else fits and it has nearly every word of the request. Measured by
 * `bench/search/confidence.ts`; docs/routing.md has the figures.
 */
const MIN_SCORE = 0.5;
const MIN_LEAD = 0.3;
const MIN_SCORE_ALONE = 0.2;
/** The lead: this many times the odds of the next result. */
const MIN_ODDS_ALONE = 50;
/** The smallest score, which has four decimal places; it keeps odds from being zero. */
const LEAST_SCORE = 1e-4;

const MIN_SHARE_OF_WORDS = 0.8;
const MIN_WORDS = 3;
/** Scripts in which spaces do not separate words, so that words cannot be counted. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

/** How many results are compared: copies of the best do not count as rivals. */
export const LOOK_AT = 8;

/** The result that the search is confident about, or `undefined`. `results` include those that are merely near. */
export function confidentResult(
  request: string,
  { results, truncated }: SearchResults,
): SearchResult | undefined {
  const [best, ...rest] = results;
  if (!best?.fits) return undefined;
  const next = rest.find(({ skill }) => !isCopy(skill, best.skill));
  if (best.reason === "exact_path" || best.reason === "exact_name")
    return next?.reason === best.reason ? undefined : best;
  // If all compared results are copies and there are more, the next rival is unknown.
  if (!next && truncated) return undefined;
  if (leads(best.score, next?.score ?? 0)) return best;
  return !next?.fits && hasMostWords(request, best) ? best : undefined;
}

function leads(best: number, next: number): boolean {
  if (best >= MIN_SCORE && best - next >= MIN_LEAD) return true;
  return best >= MIN_SCORE_ALONE && oddsOf(best) >= MIN_ODDS_ALONE * oddsOf(Math.max(next, LEAST_SCORE));
}

function hasMostWords(request: string, { matched }: SearchResult): boolean {
  if (UNSPACED.test(request)) return false;
  const words = new Set(request.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu));
  const own = matched.filter((word) => words.has(word.toLowerCase())).length;
  return words.size >= MIN_WORDS && own >= MIN_SHARE_OF_WORDS * words.size;
}

function oddsOf(chance: number): number {
  return chance / (1 - chance);
}

type Named = SearchResult["skill"];

function isCopy(a: Named, b: Named): boolean {
  return a.name === b.name && a.description === b.description;
}
