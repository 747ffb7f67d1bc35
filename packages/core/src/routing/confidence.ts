import type { SearchResult, SearchResults } from "../search/search.ts";

/**
 * When a search is sure enough to choose for a person. Its score is the chance that a skill is the one that was meant. The
 * best is sure if it is more likely than not and leads the next by so much that a slip of the score does not change who
 * it is. In a catalog of few skills scores are low, so it is also sure if nothing else comes anywhere near, or if nothing
 * else fits and it has nearly every word of the request. Measured by `bench/search/sure.ts`; docs/routing.md has the figures.
 */
const MIN_SCORE = 0.5;
const MIN_LEAD = 0.3;
const MIN_SCORE_ALONE = 0.2;
/** So many times the odds of the next. */
const MIN_ODDS_ALONE = 50;
/** A score has four places, so that less than this is nothing. */
const LEAST_SCORE = 1e-4;

const MIN_SHARE_OF_WORDS = 0.8;
const MIN_WORDS = 3;
/** A run of these is written without spaces, so that a word of it cannot be counted. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

/** As many as are looked at: copies of the best are no rivals. */
export const LOOK_AT = 8;

/** The result that a search is sure of, or `undefined`; the results have the merely near ones too. */
export function sureResult(request: string, { results, truncated }: SearchResults): SearchResult | undefined {
  const [best, ...rest] = results;
  if (!best?.fits) return undefined;
  const next = rest.find(({ skill }) => !isCopy(skill, best.skill));
  if (best.reason === "exact_path" || best.reason === "exact_name")
    return next?.reason === best.reason ? undefined : best;
  // Where only copies were seen and there is more, nobody knows how near that is.
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
