/** Learns the decision whether a skill fits: a logistic over the features of one candidate, with fixed signs. */
import { FIT_FEATURES } from "../../packages/core/src/search/ranking/candidates.ts";

const WIDTH = FIT_FEATURES.length;
const ROUNDS = 600;
const L2 = 300;

export interface FitExample {
  readonly row: Float64Array;
  readonly isRight: boolean;
  readonly weight: number;
}

export interface FitModel {
  readonly weights: Float64Array;
  readonly offset: number;
}

export function probability({ weights, offset }: FitModel, row: Float64Array): number {
  let sum = offset;
  for (let f = 0; f < WIDTH; f++) sum += (weights[f] ?? 0) * (row[f] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Projected gradient descent with momentum; weights keep the sign that the feature's meaning implies. */
export function learnFit(list: readonly FitExample[]): FitModel {
  const { mean, spread } = spreadOf(list);
  const rows = list.map(({ row }) => row.map((value, f) => (value - (mean[f] ?? 0)) / (spread[f] ?? 1)));
  const total = list.reduce((sum, { weight }) => sum + weight, 0);
  // The gradient changes at most this fast: a quarter of the features' summed variance.
  const rate = 1 / (0.25 * WIDTH + L2 / list.length);
  let weights = new Float64Array(WIDTH);
  let offset = 0;
  let ahead = weights;
  let offsetAhead = 0;
  let momentum = 1;
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = ahead.map((weight) => (L2 * weight) / list.length);
    let offsetGradient = 0;
    rows.forEach((row, i) => {
      const { isRight, weight } = list[i] as FitExample;
      const error =
        ((probability({ weights: ahead, offset: offsetAhead }, row) - (isRight ? 1 : 0)) * weight) / total;
      for (let f = 0; f < WIDTH; f++) gradient[f] = (gradient[f] ?? 0) + error * (row[f] ?? 0);
      offsetGradient += error;
    });
    const next = ahead.map((weight, f) =>
      withSign(FIT_FEATURES[f] ?? "", weight - rate * (gradient[f] ?? 0)),
    );
    const nextOffset = offsetAhead - rate * offsetGradient;
    const nextMomentum = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    const push = (momentum - 1) / nextMomentum;
    ahead = next.map((weight, f) => weight + push * (weight - (weights[f] ?? 0)));
    offsetAhead = nextOffset + push * (nextOffset - offset);
    weights = next;
    offset = nextOffset;
    momentum = nextMomentum;
  }
  const own = weights.map((weight, f) => weight / (spread[f] ?? 1));
  return { weights: own, offset: own.reduce((sum, weight, f) => sum - weight * (mean[f] ?? 0), offset) };
}

function withSign(name: string, weight: number): number {
  if (name === "unknown") return Math.min(0, weight);
  return name === "massAsked" || name === "wordsAsked" ? weight : Math.max(0, weight);
}

function spreadOf(list: readonly FitExample[]): { mean: Float64Array; spread: Float64Array } {
  const mean = new Float64Array(WIDTH);
  const spread = new Float64Array(WIDTH);
  for (const { row } of list)
    for (let f = 0; f < WIDTH; f++) mean[f] = (mean[f] ?? 0) + (row[f] ?? 0) / list.length;
  for (const { row } of list)
    for (let f = 0; f < WIDTH; f++)
      spread[f] = (spread[f] ?? 0) + ((row[f] ?? 0) - (mean[f] ?? 0)) ** 2 / list.length;
  return { mean, spread: spread.map((value) => Math.sqrt(value) || 1) };
}
