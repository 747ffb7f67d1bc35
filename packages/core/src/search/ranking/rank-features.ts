import type { Scorer } from "../index/bm25f.ts";
import type { QueryWords } from "../query/query-words.ts";
import { columns } from "./columns.ts";
import { deviation, logRank, shareOfBest } from "./compare-features.ts";
import type { LookUp } from "./look-up.ts";
import { ORDER_FEATURES, orderFeatures } from "./order-features.ts";
import { queryOrder } from "./query-order.ts";
import { askedSentences, SENTENCE_FEATURES, sentenceFeatures } from "./sentence-features.ts";
import { askedWords, WORD_FEATURES, wordFeatures } from "./word-features.ts";

/**
 * Language-independent features of a candidate: how much of the query it covers, in which field, in which order, how rare
 * the words are. Nearly all are shares, so that queries of two and of two hundred words can be compared.
 */
const OWN = ["score", ...WORD_FEATURES, ...SENTENCE_FEATURES, ...ORDER_FEATURES] as const;
type OwnFeature = (typeof OWN)[number];
const SENTENCES_AT = 1 + WORD_FEATURES.length;
const ORDER_AT = SENTENCES_AT + SENTENCE_FEATURES.length;

/** Features for which a comparison with the best candidate adds nothing. */
const NOT_COMPARED = [
  "missing",
  "quotedAnywhere",
  "quotedInDescription",
  "rarest",
  "rarestThree",
  "nameWords",
  "namePairs",
  ...SENTENCE_FEATURES,
] as const;
type ComparedFeature = Exclude<OwnFeature, (typeof NOT_COMPARED)[number]>;
const isCompared = (name: OwnFeature): name is ComparedFeature =>
  !(NOT_COMPARED as readonly OwnFeature[]).includes(name);

const OWN_AT = columns(OWN);
const OF_BEST = shareOfBest(OWN.filter(isCompared), OWN_AT);
const DEVIATION = deviation(["score", "description", "inNameOrDescription", "bodyLine", "inOwn"], OWN_AT);
const RANK = logRank(
  ["description", "inNameOrDescription", "anywhere", "anchors", "bodyLine", "inOwn"],
  OWN_AT,
);
const COMPARISONS = [OF_BEST, DEVIATION, RANK];

/** The features of a row, in the order of its columns. */
export const FEATURES = [...OWN, ...OF_BEST.names, ...DEVIATION.names, ...RANK.names] as const;
export type Feature = (typeof FEATURES)[number];
export const COLUMN_OF: Readonly<Record<Feature, number>> = columns<Feature>(FEATURES);
const WIDTH = FEATURES.length;

/** The features of each candidate, row by row. `candidates` are sorted by score. */
export function rankFeatures(
  scorer: Scorer,
  query: QueryWords,
  candidates: readonly number[],
  scores: Float32Array,
  found: LookUp,
): Float64Array {
  const count = candidates.length;
  const size = query.words.length;
  const rows = new Float64Array(count * WIDTH);
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

/** The weight of a candidate in comparisons: lower the further its score is below the best. */
function nearness(candidates: readonly number[], scores: Float32Array): Float64Array {
  const best = scores[candidates[0] ?? 0] || 1;
  return Float64Array.from(candidates, (skill) => Math.exp(4 * ((scores[skill] ?? 0) / best - 1)));
}
