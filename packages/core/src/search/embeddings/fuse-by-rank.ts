import type { SkillMetadata } from "../../skill/schema.ts";
import type { SearchReason, SearchResult } from "../search.ts";
import type { Similarity } from "./embeddings.ts";

/**
 * How much the order by vectors counts: less than the words, and next to nothing if it puts none of the first three by words near
 * the top, as a model does that cannot read the request. Chosen with a weak model so that it does no harm
 * (`bench/search/embeddings.ts`).
 */
const AGREEING = 0.2;
const DISAGREEING = 0.02;
/** Near the top: one in so many skills, and at least this many. */
const ONE_IN = 500;
const AT_LEAST = 3;
/** How many of the first by words are compared, and how many nearest a model is shown if nothing fits. */
const FIRST = 3;
/** How much the order by words counts beside the scores, which hardly differ further down. */
const BY_PLACE = 0.5;
/** The score of a skill that the words do not find. */
const NOT_FOUND = 0.003;
/** How many skills the vectors alone may add. */
const MAX_ADDED = 60;

/** Only the words can name a skill, and what they name stays first. */
const NAMES: ReadonlySet<SearchReason> = new Set(["exact_path", "exact_name", "prefix"]);

/**
 * The results by words in an order that follows the vectors too, with the nearest skills that share no word with the request.
 * Places count and not similarities, because each model has its own scale. Whether a skill fits is decided by the words. If
 * nothing fits, the nearest skill is among the first three. `skills` are all that may be found.
 */
export function fuseByRank(
  results: readonly SearchResult[],
  skills: readonly SkillMetadata[],
  similarity: Similarity,
): SearchResult[] {
  const nearest = byNearness(skills, similarity);
  const ranks = new Map(nearest.map(({ path }, rank) => [path, rank]));
  const known = new Set(results.map(({ skill }) => skill.path));
  const added = nearest.slice(0, MAX_ADDED).filter(({ path }) => !known.has(path));
  const named = results.filter(({ reason }) => NAMES.has(reason));
  const worded = results.filter(({ reason }) => !NAMES.has(reason));
  const weight = isAgreed(worded, ranks) ? AGREEING : DISAGREEING;
  const ordered = [...worded, ...added.map(byMeaning)]
    .map((result, place) => {
      // A skill without a vector stays about where the words put it.
      const rank = ranks.get(result.skill.path) ?? place;
      const value =
        Math.log(result.score + NOT_FOUND) - BY_PLACE * Math.log(1 + place) - weight * Math.log(FIRST + rank);
      return { value, result };
    })
    // The sort is stable: of equals, the one that the words found first comes first.
    .sort((a, b) => b.value - a.value)
    .map(({ result }) => result);
  const [first] = nearest;
  const isNothing = !results.some(({ fits }) => fits);
  const shown = isNothing && first ? withNearest(ordered, first) : ordered;
  return [...named, ...withFallingScores(shown)];
}

function byNearness(skills: readonly SkillMetadata[], similarity: Similarity): SkillMetadata[] {
  return skills
    .flatMap((skill) => {
      const value = similarity(skill);
      return value === undefined ? [] : [{ skill, value }];
    })
    .sort((a, b) => b.value - a.value)
    .map(({ skill }) => skill);
}

function isAgreed(worded: readonly SearchResult[], ranks: ReadonlyMap<string, number>): boolean {
  const near = Math.max(AT_LEAST, ranks.size / ONE_IN);
  return worded.slice(0, FIRST).some(({ skill }) => (ranks.get(skill.path) ?? near) < near);
}

function byMeaning(skill: SkillMetadata): SearchResult {
  return { skill, score: 0, reason: "semantic_match", matched: [], fits: false };
}

function withNearest(ordered: readonly SearchResult[], nearest: SkillMetadata): SearchResult[] {
  const place = ordered.findIndex(({ skill }) => skill.path === nearest.path);
  const moved = [...ordered];
  if (place >= FIRST) moved.splice(FIRST - 1, 0, ...moved.splice(place, 1));
  return moved;
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
