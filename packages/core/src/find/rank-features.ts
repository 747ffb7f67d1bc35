import { ORDER_FEATURES, orderFeatures, type QueryOrder } from "./order-features.ts";
import type { Scorer, Tally } from "./score.ts";
import { FIELD_COUNT } from "./skill-words.ts";

/** What a query asks for: its words, and which of them stand in one sentence. */
export interface QueryWords {
  /** Numbers of known words, each once. */
  readonly words: readonly number[];
  /** Places in `words`, by sentence, in their order. */
  readonly sentences: readonly (readonly number[])[];
}

/** Where the features of the order of words begin. */
const ORDER_AT = 21;
/** A word that half of the skills have holds no pair together. */
const CONTENT = Math.log(2);

/**
 * What can be said of a candidate without knowing any language: how much of the query it covers, in which field, how
 * rare the words are in the catalog and among the candidates, how much of its own name was asked for. Each is a share,
 * so that a query of two words and one of two hundred can be compared.
 */
const OWN = [
  "score",
  "name",
  "description",
  "headings",
  "body",
  "inHeadings",
  "inNameOrDescription",
  "anywhere",
  "anywhereSquared",
  "inNameOrDescriptionSquared",
  "among",
  "amongInDescription",
  "words",
  "wordsInDescription",
  "strongest",
  "nameAsked",
  "nameWeight",
  "nameNotAsked",
  "sentences",
  "bestSentence",
  "firstSentence",
  ...ORDER_FEATURES,
] as const;
/** The same compared with the best candidate, then the three rarest words and what is missing, then the rank by words. */
export const FEATURES: readonly string[] = [
  ...OWN,
  ...OWN.map((name) => `${name}/best`),
  "rarest",
  "rarestThree",
  "missing",
  "rank",
];

const ALONE = OWN.length;
const WIDTH = FEATURES.length;

/** Features of each candidate, one row after the other. `candidates` are in the order of their scores. */
export function rankFeatures(
  scorer: Scorer,
  query: QueryWords,
  candidates: readonly number[],
  tally: Tally,
): Float64Array {
  const { rarity } = scorer;
  const { words } = query;
  const sentences = query.sentences.map((places) => [...new Set(places)]);
  const rows = new Float64Array(candidates.length * WIDTH);
  const { counts, gains } = lookUp(scorer, words, candidates);
  const weights = words.map((word) => rarity[word] ?? 0);
  const total = sum(weights) || 1;
  const totalSquared = sum(weights.map((weight) => weight * weight)) || 1;
  const local = localRarity(counts, words.length, candidates.length);
  const totalLocal = sum(local) || 1;
  const rarest = words
    .map((_, i) => i)
    .sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0))
    .slice(0, 3);
  const best = sentences.map((places) => {
    let most = 0;
    for (let c = 0; c < candidates.length; c++)
      most = Math.max(most, gainOf(gains, c * words.length, places));
    return most || 1;
  });

  const order = queryOrder(scorer, query, weights, total);
  candidates.forEach((skill, c) => {
    const at = c * WIDTH;
    const from = c * words.length;
    let strongest = 0;
    let missing = 0;
    let found = 0;
    let foundInDescription = 0;
    for (let k = 0; k < words.length; k++) {
      const packed = counts[from + k] ?? 0;
      const weight = weights[k] ?? 0;
      if (packed === 0) {
        missing = Math.max(missing, weight);
        continue;
      }
      found++;
      for (let field = 0; field < FIELD_COUNT; field++) {
        const times = (packed >>> (field * 8)) & 0xff;
        if (times > 0) add(rows, at + 1 + field, (weight * times * 2.2) / (times + 1.2) / total);
      }
      if (((packed >>> 16) & 0xff) > 0) add(rows, at + 5, weight / total);
      add(rows, at + 7, weight / total);
      add(rows, at + 8, (weight * weight) / totalSquared);
      add(rows, at + 10, (local[k] ?? 0) / totalLocal);
      if ((packed & 0xffff) !== 0) {
        foundInDescription++;
        add(rows, at + 6, weight / total);
        add(rows, at + 9, (weight * weight) / totalSquared);
        add(rows, at + 11, (local[k] ?? 0) / totalLocal);
      }
      if ((packed & 0xff) !== 0) add(rows, at + 16, weight);
      strongest = Math.max(strongest, gains[from + k] ?? 0);
    }
    const asked = rows[at + 16] ?? 0;
    const name = scorer.nameRarity[skill] ?? 0;
    rows[at] = (tally.scores[skill] ?? 0) / total;
    rows[at + 12] = found / Math.max(1, words.length);
    rows[at + 13] = foundInDescription / 10;
    rows[at + 14] = strongest / 10;
    rows[at + 15] = name > 0 ? Math.min(1, asked / name) : 0;
    rows[at + 16] = asked / total;
    rows[at + 17] = Math.max(0, name - asked) / 10;
    sentences.forEach((places, s) => {
      const share = gainOf(gains, from, places) / (best[s] ?? 1);
      add(rows, at + 18, share / sentences.length);
      rows[at + 19] = Math.max(rows[at + 19] ?? 0, share);
      if (s === 0) rows[at + 20] = share;
    });
    orderFeatures(scorer.index.sequences[skill] ?? NO_WORDS, rarity, order, rows, at + ORDER_AT);
    rows[at + 2 * ALONE] = rarest.length > 0 && (counts[from + (rarest[0] ?? 0)] ?? 0) > 0 ? 1 : 0;
    rows[at + 2 * ALONE + 1] = rarest.filter((k) => (counts[from + k] ?? 0) > 0).length / 3;
    rows[at + 2 * ALONE + 2] = missing / 10;
    rows[at + 2 * ALONE + 3] = Math.log(1 + c);
  });
  for (const word of words) scorer.places[word] = -1;
  compareWithBest(rows, candidates.length);
  return rows;
}

const NO_WORDS = new Int32Array(0);

/** The query as sequences are read against it; its words are marked in the scorer until the features are made. */
function queryOrder(
  scorer: Scorer,
  query: QueryWords,
  weights: readonly number[],
  total: number,
): QueryOrder {
  query.words.forEach((word, place) => {
    scorer.places[word] = place;
  });
  const size = query.words.length;
  const pairs = new Float32Array(size * size);
  let totalPairs = 0;
  for (const sentence of query.sentences) {
    const content = sentence.filter((place) => (weights[place] ?? 0) >= CONTENT);
    content.forEach((place, i) => {
      const next = content[i + 1];
      if (next === undefined || next === place || pairs[place * size + next] !== 0) return;
      const [one = 0, other = 0] = [weights[place], weights[next]];
      const worth = Math.min(one, other) + 0.5 * Math.max(one, other);
      pairs[place * size + next] = worth;
      totalPairs += worth;
    });
  }
  return {
    places: scorer.places,
    weights,
    pairs,
    total,
    totalPairs: totalPairs || 1,
    countedWord: new Int32Array(size),
    countedPair: new Int32Array(size * size),
    stamp: 0,
  };
}

/** Counts and gains of every candidate for every word; both go through skills in order, so one pass finds all. */
function lookUp(
  scorer: Scorer,
  words: readonly number[],
  candidates: readonly number[],
): { counts: Uint32Array; gains: Float32Array } {
  const { index, impacts, rarity } = scorer;
  const counts = new Uint32Array(candidates.length * words.length);
  const gains = new Float32Array(candidates.length * words.length);
  const order = candidates.map((_, c) => c).sort((a, b) => (candidates[a] ?? 0) - (candidates[b] ?? 0));
  words.forEach((word, k) => {
    const end = index.starts[word + 1] ?? 0;
    let at = index.starts[word] ?? 0;
    for (const c of order) {
      const skill = candidates[c] ?? 0;
      // Steps that double, then halving: far apart or close by, both are quick.
      let step = 1;
      while (at + step < end && (index.skills[at + step] ?? 0) < skill) step *= 2;
      let high = Math.min(end, at + step + 1);
      while (at < high) {
        const middle = (at + high) >> 1;
        if ((index.skills[middle] ?? 0) < skill) at = middle + 1;
        else high = middle;
      }
      if (at >= end) break;
      if (index.skills[at] !== skill) continue;
      counts[c * words.length + k] = index.counts[at] ?? 0;
      gains[c * words.length + k] = (rarity[word] ?? 0) * (impacts[at] ?? 0);
    }
  });
  return { counts, gains };
}

/** How telling a word is among the candidates: one that all of them have decides nothing between them. */
function localRarity(counts: Uint32Array, words: number, candidates: number): number[] {
  return Array.from({ length: words }, (_, k) => {
    let having = 0;
    for (let c = 0; c < candidates; c++) if ((counts[c * words + k] ?? 0) > 0) having++;
    return Math.log(1 + (candidates - having + 0.5) / (having + 0.5));
  });
}

function compareWithBest(rows: Float64Array, candidates: number): void {
  for (let f = 0; f < ALONE; f++) {
    let most = 1e-9;
    for (let c = 0; c < candidates; c++) most = Math.max(most, rows[c * WIDTH + f] ?? 0);
    for (let c = 0; c < candidates; c++) rows[c * WIDTH + ALONE + f] = (rows[c * WIDTH + f] ?? 0) / most;
  }
}

function gainOf(gains: Float32Array, from: number, places: readonly number[]): number {
  let gain = 0;
  for (const k of places) gain += gains[from + k] ?? 0;
  return gain;
}

function add(rows: Float64Array, at: number, value: number): void {
  rows[at] = (rows[at] ?? 0) + value;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
