import { fold } from "../shared/fold.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { SearchResult, SearchResults } from "./search.ts";
import { tokenize } from "./text/tokenize.ts";

/** Of two editions of one skill, the shorter description has at least this share of its words from the other. */
const SHARED = 0.9;
/** This many times the limit is looked through, so that copies take no place from other skills. */
export const LOOKED_THROUGH = 3;

/** Whether two skills have one name and, but for a few words, one description, or the beginning of it. */
function areCopies(a: SkillMetadata, b: SkillMetadata): boolean {
  if (fold(a.name) !== fold(b.name)) return false;
  if (a.description === b.description) return true;
  const [few, many] = [a, b]
    .map(({ description }) => new Set(tokenize(description)))
    .toSorted((one, other) => one.size - other.size) as [Set<string>, Set<string>];
  return few.size > 0 && [...few].filter((word) => many.has(word)).length >= SHARED * few.size;
}

/** Copies of a skill as one result, in the place of the best one, with the others in `copies`. */
export function foldCopies({ results: all, ...found }: SearchResults, limit: number): SearchResults {
  const firsts: (SearchResult & { copies: SkillMetadata[] })[] = [];
  for (const result of all) {
    const first = firsts.find(({ skill }) => areCopies(skill, result.skill));
    if (!first) firsts.push({ ...result, copies: [] });
    else first.copies.push(result.skill);
  }
  const results = firsts
    .slice(0, limit)
    .map(({ copies, ...result }): SearchResult => (copies.length > 0 ? { ...result, copies } : result));
  return {
    ...found,
    results,
    count: results.length,
    fitting: results.filter(({ fits }) => fits).length,
    truncated: found.truncated || firsts.slice(limit).some(({ fits }) => fits),
  };
}
