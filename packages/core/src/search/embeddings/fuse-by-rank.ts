import type { SkillMetadata } from "../../skill/schema.ts";
import type { SearchReason, SearchResult } from "../search.ts";
import type { Similarity } from "./embeddings.ts";

/**
 * How much the order by vectors counts beside the scores of the words. Places instead of similarities, because each model has its
 * own scale. Chosen so that a poor model does little harm: measured in `bench/search/embeddings.ts`.
 */
const WEIGHT = 0.2;
/** How little the first places differ from each other. */
const SMOOTHING = 3;
/** The score of a skill that the words do not find. */
const NOT_FOUND = 0.003;
/** How many skills the vectors alone may add. */
const MAX_ADDED = 60;

/** Only the words can name a skill, and what they name stays first. */
const NAMES: ReadonlySet<SearchReason> = new Set(["exact_path", "exact_name", "prefix"]);

/**
 * The results by words in an order that follows the vectors too, with the nearest skills that share no word with the request.
 * Whether a skill fits is decided by the words. `skills` are all that may be found.
 */
export function fuseByRank(
  results: readonly SearchResult[],
  skills: readonly SkillMetadata[],
  similarity: Similarity,
): SearchResult[] {
  const nearest = skills
    .flatMap((skill) => {
      const value = similarity(skill);
      return value === undefined ? [] : [{ skill, value }];
    })
    .sort((a, b) => b.value - a.value)
    .map(({ skill }) => skill);
  const places = new Map(nearest.map(({ path }, place) => [path, place]));
  const known = new Set(results.map(({ skill }) => skill.path));
  const added = nearest.slice(0, MAX_ADDED).filter(({ path }) => !known.has(path));
  const named = results.filter(({ reason }) => NAMES.has(reason));
  const worded = results.filter(({ reason }) => !NAMES.has(reason));
  const ordered = [...worded, ...added.map(byMeaning)]
    .map((result, place) => {
      // A skill without a vector stays about where the words put it.
      const rank = places.get(result.skill.path) ?? place;
      const value = Math.log(result.score + NOT_FOUND) - WEIGHT * Math.log(SMOOTHING + rank);
      return { value, result };
    })
    // The sort is stable: of equals, the one that the words found first comes first.
    .sort((a, b) => b.value - a.value)
    .map(({ result }) => result);
  return [...named, ...withFallingScores(ordered)];
}

function byMeaning(skill: SkillMetadata): SearchResult {
  return { skill, score: 0, reason: "semantic_match", matched: [], fits: false };
}

/**
 * Scores agree with the order: none is more than that of the skill before. A skill that the words do not find has no score of
 * its own and gets that of the skill after it.
 */
function withFallingScores(ordered: readonly SearchResult[]): SearchResult[] {
  const scores = ordered.map(({ score }) => score);
  for (let i = scores.length - 2; i >= 0; i--)
    if (ordered[i]?.reason === "semantic_match") scores[i] = scores[i + 1] ?? 0;
  let most = 1;
  return ordered.map((result, i) => {
    most = Math.min(most, scores[i] ?? 0);
    return { ...result, score: most };
  });
}
