import { rarityOf, type Scorer } from "../index/bm25f.ts";
import type { QueryWords } from "../query/query-words.ts";
import { COLUMN_OF, FEATURES } from "./rank-features.ts";

/**
 * Whether a candidate is relevant or a weaker match. It is relevant if it stands out among the candidates, or if it has
 * enough of the request, both absolutely and compared with the best candidate. Measured on 8,062 skills: at most 1 in 20 of
 * the prompts that authors wrote lose their skill by this, and more than half of the prompts that must not lead to a skill
 * do not show it (`bench/search/run.ts --negatives`; RESEARCH.md has what else was tried).
 */
const MIN_CHANCE = 0.05;
const MIN_COVERAGE = 0.4;
const MIN_OF_BEST = 0.5;
/** A candidate with less of the request is never relevant, even if it is the best. */
const LEAST_COVERAGE = 0.15;
/** How a difference of scores becomes odds: fitted to the prompts. */
const SHARPNESS = 1.25;
/** For such a short query, everything that has one of its words is shown. */
const FEW_WORDS = 3;

const WIDTH = FEATURES.length;
const COVERAGE = COLUMN_OF.anywhere;
const OF_BEST = COLUMN_OF["among/best"];

/** How much of a query is known: words that no skill has count as the rarest, even if corrected. */
export interface KnownShare {
  readonly share: number;
  /** Without unknown pairs of Chinese, Japanese or Korean characters, most of which span two words. */
  readonly lenientShare: number;
  readonly hasFewWords: boolean;
}

export function knownShare({ index }: Scorer, { words, trust, weights, ...query }: QueryWords): KnownShare {
  const known = weights.reduce((sum, weight) => sum + weight, 0);
  const rarest = rarityOf(0, index.size);
  // A corrected word is still one that no skill has: the part that the correction does not cover stays unknown.
  const doubt = weights.reduce((sum, weight, k) => (trust[k] === 1 ? sum : sum + rarest - weight), 0);
  const share = (unknown: number): number => known / (known + doubt + unknown * rarest || 1);
  return {
    share: share(query.unknown),
    lenientShare: share(query.unknown - query.unknownPairs),
    hasFewWords: words.length + query.unknown <= FEW_WORDS,
  };
}

/** By candidate, from its features and their weighted sum. */
export function whichFit(known: KnownShare, rows: Float64Array, sums: readonly number[]): boolean[] {
  const most = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(SHARPNESS * (sum - most)));
  const total = odds.reduce((sum, odd) => sum + odd, 0);
  return sums.map((_, c) => {
    const covered = rows[c * WIDTH + COVERAGE] ?? 0;
    if (known.hasFewWords) return covered > 0;
    if (covered * known.lenientShare < LEAST_COVERAGE) return false;
    if ((odds[c] ?? 0) / total >= MIN_CHANCE) return true;
    return covered * known.share >= MIN_COVERAGE && (rows[c * WIDTH + OF_BEST] ?? 0) >= MIN_OF_BEST;
  });
}
