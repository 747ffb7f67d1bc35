import type { Scorer } from "../index/bm25f.ts";
import type { QueryWords } from "../query/query-words.ts";
import { FIT_AT, FIT_FEATURES, fitFeatures } from "./fit-features.ts";
import { FIT_WEIGHTS, OFFSET } from "./fit-weights.ts";
import type { LookUp } from "./look-up.ts";

/** How a difference of sums becomes odds among the candidates: fitted to the prompts. */
const SHARPNESS = 1.25;
/** In a short query, what has a word that is at least so rare in general fits. */
const TELLING = 2.5;
/** From this probability on a skill fits. RESEARCH.md has what other values cost. */
export const MIN_PROBABILITY = 0.3;

/** Less likely than this share of the best candidate's chance, a skill is only beside what was asked for. */
export const MIN_OF_BEST = 0.03;

const WIDTH = FIT_FEATURES.length;
const VECTOR = Float64Array.from(FIT_FEATURES, (name) => FIT_WEIGHTS[name]);

/** By candidate: the probability that it is the one that was meant, if one of them was. */
export function chancesOf(sums: readonly number[]): number[] {
  const most = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(SHARPNESS * (sum - most)));
  const total = odds.reduce((sum, odd) => sum + odd, 0);
  return odds.map((odd) => odd / total);
}

/** The features of each candidate for the decision whether it fits, row by row. */
export function fitRows(
  { index }: Scorer,
  { background }: QueryWords,
  found: LookUp,
  candidates: readonly number[],
  chance: number,
): Float64Array {
  const rows = new Float64Array(candidates.length * WIDTH);
  candidates.forEach((skill, c) => {
    fitFeatures(background, found, index.lengths, c, skill, chance, rows, c * WIDTH);
  });
  return rows;
}

/** The probability that candidate number `c` is about what was asked for. */
export function fitProbability(rows: Float64Array, c: number): number {
  let sum = OFFSET;
  for (let f = 0; f < WIDTH; f++) sum += (VECTOR[f] as number) * (rows[c * WIDTH + f] as number);
  return 1 / (1 + Math.exp(-sum));
}

/**
 * Whether a candidate fits is decided by its own figures, so in a catalog of ten skills as in one of ten thousand, the best one
 * does not fit because it is the best.
 */
export function isFitting(query: QueryWords, rows: Float64Array, c: number, ofBest: number): boolean {
  return (
    (ofBest >= MIN_OF_BEST && fitProbability(rows, c) >= MIN_PROBABILITY) || isShortMatch(query, rows, c)
  );
}

export function isShortMatch({ isShort }: QueryWords, rows: Float64Array, c: number): boolean {
  return isShort && (rows[c * WIDTH + FIT_AT.strongestAnywhere] ?? 0) >= TELLING;
}
