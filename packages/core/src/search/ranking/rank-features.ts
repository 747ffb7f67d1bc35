import type { Scorer } from "../index/bm25f.ts";
import type { QueryWords } from "../query/query-words.ts";
import { type Comparison, deviation, logRank, shareOfBest } from "./compare-features.ts";
import { lookUp } from "./look-up.ts";
import { ORDER_FEATURES, orderFeatures } from "./order-features.ts";
import { queryOrder } from "./query-order.ts";
import { askedSentences, SENTENCE_FEATURES, sentenceFeatures } from "./sentence-features.ts";
import { askedWords, WORD_FEATURES, wordFeatures } from "./word-features.ts";

/**
 * What can be said of a candidate without knowing any language: how much of the query it covers, in which field, in which
 * order, how rare the words are. Nearly all are shares, so that a query of two words and one of two hundred can be compared.
 */
const OWN: readonly string[] = ["score", ...WORD_FEATURES, ...SENTENCE_FEATURES, ...ORDER_FEATURES];
const SENTENCES_AT = 1 + WORD_FEATURES.length;
const ORDER_AT = SENTENCES_AT + SENTENCE_FEATURES.length;

/** Those that say the same or nothing when they are compared with the best candidate's. */
const NOT_COMPARED = new Set<string>([
  "missing",
  "quotedAnywhere",
  "quotedInDescription",
  "rarest",
  "rarestThree",
  "nameWords",
  "namePairs",
  ...SENTENCE_FEATURES,
]);
const columnsOf = (...names: string[]): number[] => names.map((name) => OWN.indexOf(name));
const COMPARISONS: readonly Comparison[] = [
  shareOfBest(columnsOf(...OWN.filter((name) => !NOT_COMPARED.has(name))), OWN),
  deviation(columnsOf("score", "description", "inNameOrDescription", "bodyLine"), OWN),
  logRank(columnsOf("description", "inNameOrDescription", "anywhere", "anchors", "bodyLine"), OWN),
];

export const FEATURES: readonly string[] = [...OWN, ...COMPARISONS.flatMap(({ names }) => names)];
const WIDTH = FEATURES.length;

/** Features of each candidate, one row after the other. `candidates` are in the order of their scores. */
export function rankFeatures(
  scorer: Scorer,
  query: QueryWords,
  candidates: readonly number[],
  scores: Float32Array,
): Float64Array {
  const count = candidates.length;
  const size = query.words.length;
  const rows = new Float64Array(count * WIDTH);
  const found = lookUp(scorer, query, candidates);
  const words = askedWords(query, found, nearness(candidates, scores));
  const sentences = askedSentences(query.sentences, found, count, size);
  const order = queryOrder(scorer, query, words.weights, words.total);
  const among = queryOrder(scorer, query, words.local, words.totalLocal);
  const { codes } = scorer.index.sequences;
  scorer.places.set(codes, query.words);
  candidates.forEach((skill, c) => {
    const at = c * WIDTH;
    rows[at] = (scores[skill] ?? 0) / words.total;
    wordFeatures(words, found, scorer.norms, c, skill, rows, at + 1);
    sentenceFeatures(sentences, found, c * size, rows, at + SENTENCES_AT);
    orderFeatures(scorer, skill, order, among, scorer.hits, rows, at + ORDER_AT);
  });
  scorer.places.clear(codes, query.words);
  let at = OWN.length;
  for (const comparison of COMPARISONS) {
    comparison.fill(rows, WIDTH, count, at);
    at += comparison.names.length;
  }
  return rows;
}

/** How much a candidate counts among the others: the less the further its score is below the best. */
function nearness(candidates: readonly number[], scores: Float32Array): Float64Array {
  const best = scores[candidates[0] ?? 0] || 1;
  return Float64Array.from(candidates, (skill) => Math.exp(4 * ((scores[skill] ?? 0) / best - 1)));
}
