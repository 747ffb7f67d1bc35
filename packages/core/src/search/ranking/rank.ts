import type { Scorer } from "../index/bm25f.ts";
import type { QueryWords } from "../query/query-words.ts";
import { lookUp } from "./look-up.ts";
import { COLUMN_OF, FEATURES, rankFeatures } from "./rank-features.ts";
import { WEIGHTS } from "./rank-weights.ts";
import { chancesOf, fitProbability, fitRow, isFitting } from "./relevance.ts";

export interface Ranked {
  readonly skill: number;
  readonly score: number;
  readonly fits: boolean;
  /** Whether its name or description has one of the words. */
  readonly isClose: boolean;
}

const WIDTH = FEATURES.length;
const CLOSE = COLUMN_OF.inNameOrDescription;
/** The weights in column order. */
const VECTOR = Float64Array.from(FEATURES, (name) => WEIGHTS[name]);

/**
 * Reranks the candidates: a weighted sum of features, with weights learnt from prompts that authors wrote for their skills
 * (`bench/search/train.ts`), turned into the probability that the candidate is the skill that was meant. `preferenceFor` is added
 * to the sum of a skill.
 */
export function rank(
  scorer: Scorer,
  query: QueryWords,
  candidates: readonly number[],
  scores: Float32Array,
  preferenceFor?: (skill: number) => number,
): Ranked[] {
  if (candidates.length === 0) return [];
  const found = lookUp(scorer, query, candidates);
  const rows = rankFeatures(scorer, query, candidates, scores, found);
  const chances = chancesOf(
    candidates.map((skill, c) => weightedSum(rows, c) + (preferenceFor?.(skill) ?? 0)),
  );
  const most = Math.max(...chances);
  const rowOf = (c: number): Float64Array => fitRow(scorer, query, found, candidates, c, most);
  // Whether anything was meant, times whether it was this one.
  const first = rowOf(chances.indexOf(most));
  const any = fitProbability(first);
  return candidates.map((skill, c) => ({
    skill,
    score: any * (chances[c] ?? 0),
    fits: isFitting(query, (chances[c] ?? 0) / most, first, () => rowOf(c)),
    isClose: (rows[c * WIDTH + CLOSE] ?? 0) > 0,
  }));
}

/** The weighted sum of the features of candidate number `c`. */
function weightedSum(rows: Float64Array, c: number): number {
  let sum = 0;
  for (let f = 0; f < WIDTH; f++) sum += (VECTOR[f] ?? 0) * (rows[c * WIDTH + f] ?? 0);
  return sum;
}
