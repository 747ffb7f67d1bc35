import type { Scorer } from "../index/bm25f.ts";
import type { QueryWords } from "../query/query-words.ts";
import { FIT_AT, FIT_FEATURES, fitFeatures } from "./fit-features.ts";
import { FIT_WEIGHTS, OFFSET } from "./fit-weights.ts";
import type { LookUp } from "./look-up.ts";

/** How a difference of sums becomes odds among the candidates: fitted to the prompts. */
const SHARPNESS = 1.25;
/** In a short query, what has a word that is at least so rare in general fits. */
const TELLING = 2.5;
/** But not what has less than this share of what the first result has of the query. */
const SHARE_OF_FIRST = 0.6;
/** From this probability on a skill fits. RESEARCH.md has what other values cost. */
export const MIN_PROBABILITY = 0.33;

/** Less likely than this share of the best candidate's chance, a skill is only beside what was asked for. */
export const MIN_OF_BEST = 0.01;

const WIDTH = FIT_FEATURES.length;
const VECTOR = Float64Array.from(FIT_FEATURES, (name) => FIT_WEIGHTS[name]);

/** By candidate: the probability that it is the one that was meant, if one of them was. */
export function chancesOf(sums: readonly number[]): number[] {
  const most = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(SHARPNESS * (sum - most)));
  const total = odds.reduce((sum, odd) => sum + odd, 0);
  return odds.map((odd) => odd / total);
}

/** The features of candidate number `c` for the decision whether it fits. `chance` is that of the best candidate. */
export function fitRow(
  { index }: Scorer,
  { background }: QueryWords,
  found: LookUp,
  candidates: readonly number[],
  c: number,
  chance: number,
): Float64Array {
  const row = new Float64Array(WIDTH);
  fitFeatures(background, found, index.lengths, c, candidates[c] ?? 0, chance, row);
  return row;
}

/** The probability that a candidate is about what was asked for. */
export function fitProbability(row: Float64Array): number {
  let sum = OFFSET;
  for (let f = 0; f < WIDTH; f++) sum += (VECTOR[f] as number) * (row[f] as number);
  return 1 / (1 + Math.exp(-sum));
}

/**
 * Whether a candidate fits is decided by its own figures, so in a catalog of ten skills as in one of ten thousand, the best one
 * does not fit because it is the best. `ofBest` is its chance as a share of the best one's; `first` are the best one's figures.
 */
export function isFitting(
  query: QueryWords,
  ofBest: number,
  first: Float64Array,
  rowOf: () => Float64Array,
): boolean {
  // Few candidates are near the best, so few rows are needed.
  if (ofBest < MIN_OF_BEST && !query.isShort) return false;
  const row = rowOf();
  return (ofBest >= MIN_OF_BEST && fitProbability(row) >= MIN_PROBABILITY) || isShortMatch(query, row, first);
}

export function isShortMatch({ isShort }: QueryWords, row: Float64Array, first: Float64Array): boolean {
  const share = (of: Float64Array): number => of[FIT_AT.anywhere] ?? 0;
  return (
    isShort && (row[FIT_AT.strongestAnywhere] ?? 0) >= TELLING && share(row) >= SHARE_OF_FIRST * share(first)
  );
}
