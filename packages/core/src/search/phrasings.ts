import { SkillError } from "../shared/errors.ts";
import { fuse } from "./fuse.ts";
import type { SearchLimits, SearchResults } from "./search.ts";

/** How many other phrasings a search may have. */
const MAX_PHRASINGS = 4;
/** Agreement is judged by this many skills, however few are asked for. */
const COMPARED = 50;

/** The other phrasings of a query that say something new. */
export function otherPhrasings(query: string, also: readonly string[] = []): string[] {
  if (!Array.isArray(also) || also.some((text) => typeof text !== "string"))
    throw new SkillError("INVALID_PARAM", "Other phrasings (also) must be a list of texts.");
  if (also.length > MAX_PHRASINGS)
    throw new SkillError(
      "INVALID_PARAM",
      `At most ${MAX_PHRASINGS} other phrasings (also) can be given, not ${also.length}.`,
    );
  const texts = new Set(also.map((text) => text.trim()));
  return [...texts].filter((text) => text !== "" && text !== query.trim());
}

/** Searches with several phrasings of one request; the first is the query itself. */
export function searchPhrasings(
  search: { search(query: string, limits: SearchLimits): SearchResults },
  phrasings: readonly string[],
  { limit, accepts }: SearchLimits,
): SearchResults {
  const depth = { limit: Math.max(COMPARED, limit), accepts };
  const runs = phrasings.map((text) => search.search(text, depth));
  const found = fuse(runs.map(({ results }) => results));
  const results = found.slice(0, limit);
  return {
    results,
    count: results.length,
    fitting: results.filter(({ fits }) => fits).length,
    truncated: found.slice(limit).some(({ fits }) => fits),
    ...(runs.some(({ partial }) => partial) && { partial: true }),
  };
}
