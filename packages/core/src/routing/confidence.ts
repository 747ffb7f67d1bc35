import type { SearchResult, SearchResults } from "../search/search.ts";

/**
 * When a search is confident enough to choose for a person: the best result fits, and its score, which is the probability that
 * it was meant, is high and clearly ahead of the next. Measured by `bench/search/confidence.ts`; docs/routing.md has the figures.
 */
const MIN_SCORE = 0.85;
const MIN_LEAD = 0.3;

/** How many results are compared: copies of the best do not count as rivals. */
export const LOOK_AT = 8;

/** The result that the search is confident about, or `undefined`. */
export function confidentResult({ results, truncated }: SearchResults): SearchResult | undefined {
  const [best, ...rest] = results;
  if (!best?.fits) return undefined;
  const next = rest.find(({ skill }) => !isCopy(skill, best.skill));
  if (best.reason === "exact_path" || best.reason === "exact_name")
    return next?.reason === best.reason ? undefined : best;
  // If all compared results are copies and there are more, the next rival is unknown.
  if (!next && truncated) return undefined;
  // Copies share the probability of what they are copies of; the beginning of a name is as much of each.
  const copies = rest.filter(({ skill, reason }) => reason !== "prefix" && isCopy(skill, best.skill));
  const score = copies.reduce((sum, copy) => sum + copy.score, best.score);
  return score >= MIN_SCORE && score - (next?.score ?? 0) >= MIN_LEAD ? best : undefined;
}

type Named = SearchResult["skill"];

function isCopy(a: Named, b: Named): boolean {
  return a.name === b.name && a.description === b.description;
}
