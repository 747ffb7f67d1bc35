import type { QueryWords } from "./query-words.ts";
import { rankFeatures } from "./rank-features.ts";
import { CALIBRATION, WEIGHTS } from "./rank-weights.ts";
import type { Scorer, Tally } from "./score.ts";

export interface Ranked {
  readonly skill: number;
  readonly score: number;
}

/**
 * Looks closely at the best by words: a weighted sum of features, the weights learnt from prompts that authors wrote for
 * their skills (`bench/search/train.ts`), turned into the chance that the candidate is the skill that was meant.
 */
export function rank(
  scorer: Scorer,
  query: QueryWords,
  candidates: readonly number[],
  tally: Tally,
): Ranked[] {
  const rows = rankFeatures(scorer, query, candidates, tally);
  return candidates.map((skill, c) => {
    let sum = 0;
    for (let f = 0; f < WEIGHTS.length; f++) sum += (WEIGHTS[f] ?? 0) * (rows[c * WEIGHTS.length + f] ?? 0);
    return { skill, score: 1 / (1 + Math.exp(-(CALIBRATION.slope * sum + CALIBRATION.offset))) };
  });
}
