import type { Scorer, Tally } from "./score.ts";

export interface Ranked {
  readonly skill: number;
  readonly score: number;
}

/** The best by words, with a score between 0 and 1: the share of what the query's words could have given. */
export function rank(
  scorer: Scorer,
  words: readonly number[],
  skills: readonly number[],
  tally: Tally,
): Ranked[] {
  let most = 0;
  for (const word of words) most += scorer.rarity[word] ?? 0;
  return skills.map((skill) => ({ skill, score: (tally.scores[skill] ?? 0) / (most || 1) }));
}
