/** Learns the weights for reranking: a softmax over each prompt's candidates, by gradient descent. */
import { FEATURES } from "../../packages/core/src/search/ranking/candidates.ts";
import { collectionOf } from "./corpus.ts";

const WIDTH = FEATURES.length;
const EPOCHS = 40;
const L2 = 2;

export interface RankExample {
  readonly rows: Float64Array;
  readonly count: number;
  /** Index of the right skill among the candidates, -1 if it is not there. */
  readonly right: number;
  readonly gold: string;
}

export function sumsOf(rows: Float64Array, count: number, weights: Float64Array): number[] {
  return Array.from({ length: count }, (_, c) => {
    let sum = 0;
    for (let f = 0; f < WIDTH; f++) sum += (weights[f] ?? 0) * (rows[c * WIDTH + f] ?? 0);
    return sum;
  });
}

export function learnRanking(list: readonly RankExample[]): Float64Array {
  const { mean, spread } = spreadOf(list);
  // One prompt at a time, always in the same order, averaged over the second half: this spreads the effect of a single
  // prompt over many weights, which worked better for an unseen collection than the exact optimum.
  const scaled = new Float64Array(WIDTH);
  const average = new Float64Array(WIDTH);
  const usable = list.filter(({ right }) => right >= 0).map((example) => standardize(example, mean, spread));
  const shares = collectionShares(usable);
  const random = seededRandom();
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = 0.05 / (1 + 0.2 * epoch);
    const order = usable.map((item) => ({ item, key: random() })).sort((a, b) => a.key - b.key);
    for (const { item: example } of order) {
      const gradient = gradientOf(example, scaled);
      const share = shares.get(collectionOf(example.gold)) ?? 1;
      for (let f = 0; f < WIDTH; f++) {
        const before = scaled[f] ?? 0;
        const next = before + rate * (share * (gradient[f] ?? 0) - L2 * before);
        scaled[f] = isAgainst(FEATURES[f] ?? "") ? Math.min(0, next) : Math.max(0, next);
      }
    }
    if (epoch >= EPOCHS / 2)
      for (let f = 0; f < WIDTH; f++) average[f] = (average[f] ?? 0) + (scaled[f] ?? 0) / (EPOCHS / 2);
  }
  return average.map((weight, f) => weight / (spread[f] ?? 1));
}

function gradientOf({ rows, count, right }: RankExample, weights: Float64Array): Float64Array {
  const gradient = new Float64Array(WIDTH);
  const sums = sumsOf(rows, count, weights);
  const most = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(sum - most));
  const total = odds.reduce((sum, odd) => sum + odd, 0);
  odds.forEach((odd, c) => {
    const pull = (c === right ? 1 : 0) - odd / total;
    if (Math.abs(pull) < 1e-5) return;
    for (let f = 0; f < WIDTH; f++) gradient[f] = (gradient[f] ?? 0) + pull * (rows[c * WIDTH + f] ?? 0);
  });
  return gradient;
}

function spreadOf(list: readonly RankExample[]): { mean: Float64Array; spread: Float64Array } {
  const mean = new Float64Array(WIDTH);
  const spread = new Float64Array(WIDTH);
  let n = 0;
  for (const { rows, count } of list) {
    n += count;
    for (let i = 0; i < count * WIDTH; i++) mean[i % WIDTH] = (mean[i % WIDTH] ?? 0) + (rows[i] ?? 0);
  }
  for (let f = 0; f < WIDTH; f++) mean[f] = (mean[f] ?? 0) / n;
  for (const { rows, count } of list) {
    for (let i = 0; i < count * WIDTH; i++)
      spread[i % WIDTH] = (spread[i % WIDTH] ?? 0) + ((rows[i] ?? 0) - (mean[i % WIDTH] ?? 0)) ** 2;
  }
  for (let f = 0; f < WIDTH; f++) spread[f] = Math.sqrt((spread[f] ?? 0) / n) || 1;
  return { mean, spread };
}

function standardize(example: RankExample, mean: Float64Array, spread: Float64Array): RankExample {
  const rows = example.rows.map((value, i) => (value - (mean[i % WIDTH] ?? 0)) / (spread[i % WIDTH] ?? 1));
  return { ...example, rows };
}

function seededRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The weight of a prompt by its collection: one with four times the prompts counts twice as much; 1 on average. */
function collectionShares(list: readonly RankExample[]): Map<string, number> {
  const sizes = [...Map.groupBy(list, ({ gold }) => collectionOf(gold))].map(
    ([name, { length }]) => [name, length] as const,
  );
  const total = sizes.reduce((sum, [, size]) => sum + Math.sqrt(size), 0);
  return new Map(sizes.map(([name, size]) => [name, list.length / (Math.sqrt(size) * total)]));
}

/**
 * A weight keeps the sign that its feature's meaning implies. Free signs fit these prompts better and those of an unseen
 * collection much worse.
 */
function isAgainst(name: string): boolean {
  return /^(missing|rank|nameNotAsked)|\/rank$/.test(name);
}
