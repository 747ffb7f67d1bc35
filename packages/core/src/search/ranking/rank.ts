import type { TextIndex } from "../index/text-index.ts";
import type { QueryWords } from "../query/query-words.ts";
import { FIELD_COUNT, IN_NAME_OR_DESCRIPTION } from "../text/skill-words.ts";
import { COLUMN_OF, FEATURES, type LookUp, lookUpWords, type Scores } from "./candidates.ts";
import { chancesOf, fitProbability, fitRow, likelihoodOf, minAmong } from "./fit-features.ts";
import { type HitReader, isSaid, orderFeatures, queryOrder } from "./order-features.ts";
import { WEIGHTS } from "./weights.ts";
import { askedSentences, askedWords, sentenceFeatures, wordFeatures } from "./word-features.ts";

interface Ranked {
  readonly skill: number;
  readonly score: number;
  readonly likelihood: number;
  readonly fits: boolean;
  /** Whether its name or description has one of the words. */
  readonly isClose: boolean;
  /** How much of what the query means it has, in other words too, anywhere and in its name or description. */
  readonly meant: number;
  readonly meantClose: number;
}

/** The weights in column order. */
const VECTOR = Float64Array.from(FEATURES, (name) => WEIGHTS[name]);

/**
 * Reranks the candidates: a weighted sum of features, with weights learnt from prompts that authors wrote for their skills
 * (`bench/search/train.ts`), turned into the probability that the candidate is the skill that was meant. `preferenceFor` is added
 * to the sum of a skill.
 */
export function rank(
  index: TextIndex,
  hits: HitReader,
  query: QueryWords,
  candidates: readonly number[],
  scores: Scores,
  preferenceFor?: (skill: number) => number,
): Ranked[] {
  if (candidates.length === 0) return [];
  const found = lookUpWords(index, query, candidates);
  const rows = rankFeatures(index, hits, query, candidates, scores, found);
  const chances = chancesOf(
    candidates.map((skill, c) => weightedSum(rows, c) + (preferenceFor?.(skill) ?? 0)),
  );
  const most = Math.max(...chances);
  const rowOf = (c: number): Float64Array => fitRow(index, query, { found, scores }, candidates, c, most);
  const skills = index.lengths.length / FIELD_COUNT;
  const least = minAmong(skills) * (query.background.isPaired ? OF_PAIRS : 1);
  const isSaidBy = (c: number): boolean => isSaid(hits, query, candidates[c] ?? 0);
  // Whether anything was meant, times whether it was this one.
  const best = chances.indexOf(most);
  const first = rowOf(best);
  const any = Math.max(fitProbability(first), isSaidBy(best) ? SAID : 0);
  return candidates.map((skill, c) => {
    const likelihood = likelihoodOf(
      query,
      skills,
      (chances[c] ?? 0) / most,
      first,
      () => rowOf(c),
      () => isSaidBy(c),
    );
    return {
      skill,
      score: any * (chances[c] ?? 0),
      likelihood,
      fits: likelihood >= least,
      isClose: isClose(query, found, c),
      meant: scores.meant[skill] ?? 0,
      meantClose: scores.meantClose[skill] ?? 0,
    };
  });
}

/** Whether the name or description of candidate number `c` has a word of the query that says something. */
function isClose({ background: { weights } }: QueryWords, { counts }: LookUp, c: number): boolean {
  return weights.some(
    (weight, k) => weight > 0 && ((counts[c * weights.length + k] ?? 0) & IN_NAME_OR_DESCRIPTION) !== 0,
  );
}

/** The weighted sum of the features of candidate number `c`. */
function weightedSum(rows: Float64Array, c: number): number {
  let sum = 0;
  for (let f = 0; f < WIDTH; f++) sum += (VECTOR[f] ?? 0) * (rows[c * WIDTH + f] ?? 0);
  return sum;
}

const WIDTH = FEATURES.length;
/** Most pairs of characters of a request span two words, so a skill that it means has fewer of them: its least probability is lower. */
const OF_PAIRS = 0.6;
/** A skill whose description says the request nearly word for word is more likely meant than not. */
const SAID = 0.5;

/**
 * The features of each candidate, row by row: how much of the query it covers, in which field, in which order, how rare the words
 * are. They do not depend on a language, and nearly all are shares, so that queries of two and of two hundred words can be compared.
 */
export function rankFeatures(
  index: TextIndex,
  hits: HitReader,
  query: QueryWords,
  candidates: readonly number[],
  scores: Scores,
  found: LookUp,
): Float64Array {
  const count = candidates.length;
  const size = query.words.length;
  const rows = new Float64Array(count * WIDTH);
  const words = askedWords(query, found, nearness(candidates, scores.own));
  const sentences = askedSentences(query.sentences, found, count, size);
  const order = queryOrder(index, query, words.weights, words.total);
  const among = queryOrder(index, query, words.local, words.totalLocal);
  hits.ask(query.words, true);
  candidates.forEach((skill, c) => {
    const at = c * WIDTH;
    rows[at] = (scores.own[skill] ?? 0) / words.total;
    rows[at + COLUMN_OF.meant] = (scores.meant[skill] ?? 0) / words.total;
    rows[at + COLUMN_OF.meantClose] = (scores.meantClose[skill] ?? 0) / words.total;
    rows[at + COLUMN_OF.general] = (scores.general[skill] ?? 0) / (query.background.total || 1);
    rows[at + COLUMN_OF.generalClose] = (scores.generalClose[skill] ?? 0) / (query.background.total || 1);
    wordFeatures(words, found, index.norms, c, skill, rows, at);
    sentenceFeatures(sentences, found, c * size, rows, at);
    orderFeatures(hits.read(skill), order, among, rows, at);
  });
  hits.ask(query.words, false);
  for (const { from, to, compare } of COMPARISONS) compare(rows, count, from, to);
  return rows;
}

/** The weight of a candidate in comparisons: lower the further its score is below the best. */
function nearness(candidates: readonly number[], scores: Float32Array): Float64Array {
  const best = candidates.reduce((most, skill) => Math.max(most, scores[skill] ?? 0), 0) || 1;
  return Float64Array.from(candidates, (skill) => Math.exp(4 * ((scores[skill] ?? 0) / best - 1)));
}

/** Fills column `to` of all rows by comparing the values of column `from`. */
type Compare = (rows: Float64Array, count: number, from: number, to: number) => void;

/** The value as a share of the best candidate's. */
const shareOfBest: Compare = (rows, count, from, to) => {
  let most = 1e-9;
  for (let c = 0; c < count; c++) most = Math.max(most, rows[c * WIDTH + from] as number);
  for (let c = 0; c < count; c++) rows[c * WIDTH + to] = (rows[c * WIDTH + from] as number) / most;
};

/** The distance from the mean, in standard deviations. */
const deviation: Compare = (rows, count, from, to) => {
  let mean = 0;
  for (let c = 0; c < count; c++) mean += (rows[c * WIDTH + from] as number) / count;
  let square = 0;
  for (let c = 0; c < count; c++) square += ((rows[c * WIDTH + from] as number) - mean) ** 2 / count;
  const spread = Math.sqrt(square) || 1;
  for (let c = 0; c < count; c++) rows[c * WIDTH + to] = ((rows[c * WIDTH + from] as number) - mean) / spread;
};

/** The logarithm of the rank by this value; equal values have equal ranks. */
const logRank: Compare = (rows, count, from, to) => {
  const values = new Float64Array(count);
  for (let c = 0; c < count; c++) values[c] = -(rows[c * WIDTH + from] as number);
  values.sort();
  for (let c = 0; c < count; c++)
    rows[c * WIDTH + to] = Math.log(1 + values.indexOf(-(rows[c * WIDTH + from] as number)));
};

const COMPARES: Readonly<Record<string, Compare>> = { best: shareOfBest, deviation, rank: logRank };

const COMPARISONS = FEATURES.flatMap((feature, to) => {
  const [name = "", how = ""] = feature.split("/");
  const compare = COMPARES[how];
  return compare ? [{ from: COLUMN_OF[name as keyof typeof COLUMN_OF], to, compare }] : [];
});
