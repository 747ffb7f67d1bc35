import { rarityOf } from "../index/text-index.ts";
import type { QueryWords } from "../query/query-words.ts";
import {
  ANCHORS,
  BESIDE,
  countIn,
  FIELD_COUNT,
  HEADINGS,
  IN_NAME_OR_DESCRIPTION,
  IN_OWN_TEXT,
} from "../text/skill-words.ts";
import { COLUMN_OF as AT, type LookUp } from "./candidates.ts";

/** The words of a query by position: their rarity in the catalog and among the candidates. */
interface AskedWords {
  readonly weights: readonly number[];
  readonly local: readonly number[];
  readonly total: number;
  readonly totalSquared: number;
  readonly totalLocal: number;
  readonly quoted: Uint8Array;
  readonly totalQuoted: number;
  /** The positions of the three rarest words, rarest first. */
  readonly rarest: readonly number[];
}

export function askedWords(
  { words, trust, weights, quoted }: QueryWords,
  { counts }: LookUp,
  nearness: Float64Array,
): AskedWords {
  // A word that all candidates have does not distinguish them.
  const part = nearness.length / nearness.reduce((total, near) => total + near, 0);
  const local = words.map((_, k) => {
    let having = 0;
    nearness.forEach((near, c) => {
      if (counts[c * words.length + k] !== 0) having += near * part;
    });
    return rarityOf(having, nearness.length) * (trust[k] ?? 1);
  });
  const rarest = words
    .map((_, k) => k)
    .sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0))
    .slice(0, 3);
  return {
    weights,
    local,
    total: sum(weights) || 1,
    totalSquared: sum(weights.map((weight) => weight * weight)) || 1,
    totalLocal: sum(local) || 1,
    quoted,
    totalQuoted: sum(weights.filter((_, k) => quoted[k] === 1)) || 1,
    rarest,
  };
}

/** Writes how much of the query candidate number `c`, this skill, has, and in which field, into its row, which begins at `at`. */
export function wordFeatures(
  asked: AskedWords,
  { counts, gains }: LookUp,
  norms: Float32Array,
  c: number,
  skill: number,
  rows: Float64Array,
  at: number,
): void {
  const { weights, local, total, totalSquared, totalLocal, quoted, totalQuoted, rarest } = asked;
  const size = weights.length;
  const fields = [0, 0, 0, 0, 0, 0];
  let headings = 0;
  let anchors = 0;
  let beside = 0;
  let own = 0;
  let close = 0;
  let closeSquared = 0;
  let closeLocal = 0;
  let closeWords = 0;
  let closeQuoted = 0;
  let anywhere = 0;
  let squared = 0;
  let among = 0;
  let found = 0;
  let quotedAnywhere = 0;
  let strongest = 0;
  let missing = 0;
  for (let k = 0; k < size; k++) {
    const packed = counts[c * size + k] as number;
    const weight = weights[k] as number;
    if (packed === 0) {
      if (weight > missing) missing = weight;
      continue;
    }
    for (let field = 0; field < FIELD_COUNT; field++) {
      const times = countIn(packed, field) * (norms[skill * FIELD_COUNT + field] as number);
      if (times > 0) fields[field] = (fields[field] as number) + (weight * times * 2.2) / (times + 1.2);
    }
    if (countIn(packed, HEADINGS) > 0) headings += weight;
    if (countIn(packed, ANCHORS) > 0) anchors += weight;
    if (countIn(packed, BESIDE) > 0) beside += weight;
    if ((packed & IN_OWN_TEXT) !== 0) own += weight;
    anywhere += weight;
    squared += weight * weight;
    among += local[k] as number;
    found++;
    if (quoted[k] === 1) quotedAnywhere += weight;
    if ((packed & IN_NAME_OR_DESCRIPTION) !== 0) {
      close += weight;
      closeSquared += weight * weight;
      closeLocal += local[k] as number;
      closeWords++;
      if (quoted[k] === 1) closeQuoted += weight;
    }
    const gain = gains[c * size + k] as number;
    if (gain > strongest) strongest = gain;
  }
  const isFound = (k: number): boolean => counts[c * size + k] !== 0;
  const [inName = 0, inDescription = 0, inHeadings = 0, inBody = 0, inBeside = 0, inAnchors = 0] = fields;
  rows[at + AT.name] = inName / total;
  rows[at + AT.description] = inDescription / total;
  rows[at + AT.headings] = inHeadings / total;
  rows[at + AT.body] = inBody / total;
  rows[at + AT.beside] = inBeside / total;
  rows[at + AT.anchors] = inAnchors / total;
  rows[at + AT.inHeadings] = headings / total;
  rows[at + AT.inAnchors] = anchors / total;
  rows[at + AT.inBeside] = beside / total;
  rows[at + AT.inNameOrDescription] = close / total;
  rows[at + AT.inOwn] = own / total;
  rows[at + AT.anywhere] = anywhere / total;
  rows[at + AT.anywhereSquared] = squared / totalSquared;
  rows[at + AT.inNameOrDescriptionSquared] = closeSquared / totalSquared;
  rows[at + AT.among] = among / totalLocal;
  rows[at + AT.amongInDescription] = closeLocal / totalLocal;
  rows[at + AT.words] = found / Math.max(1, size);
  rows[at + AT.wordsInDescription] = closeWords / 10;
  rows[at + AT.strongest] = strongest / 10;
  rows[at + AT.missing] = missing / 10;
  rows[at + AT.quotedAnywhere] = quotedAnywhere / totalQuoted;
  rows[at + AT.quotedInDescription] = closeQuoted / totalQuoted;
  rows[at + AT.rarest] = rarest.slice(0, 1).filter(isFound).length;
  rows[at + AT.rarestThree] = rarest.filter(isFound).length / 3;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** How well a candidate matches single sentences of the query, compared with the best match. */
interface AskedSentences {
  /** Word positions by sentence, without duplicates. */
  readonly places: readonly (readonly number[])[];
  /** The best candidate's gain for each. */
  readonly best: readonly number[];
  /** The sentence with the most weight for its length. */
  readonly telling: number;
}

export function askedSentences(
  sentences: readonly (readonly number[])[],
  { gains }: LookUp,
  candidates: number,
  size: number,
): AskedSentences {
  const places = sentences.map((sentence) => [...new Set(sentence)]);
  const best = places.map((own) => {
    let most = 0;
    for (let c = 0; c < candidates; c++) most = Math.max(most, gainOf(gains, c * size, own));
    return most;
  });
  const worth = best.map((gain, s) => gain / Math.sqrt(places[s]?.length || 1));
  return { places, best, telling: worth.indexOf(Math.max(...worth)) };
}

/** Writes the features of the candidate whose gains begin at `from` into its row, which begins at `at`. */
export function sentenceFeatures(
  { places, best, telling }: AskedSentences,
  { gains }: LookUp,
  from: number,
  rows: Float64Array,
  at: number,
): void {
  if (places.length === 0) return;
  const shares = places.map((own, s) => gainOf(gains, from, own) / (best[s] || 1));
  rows[at + AT.sentences] = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  rows[at + AT.bestSentence] = Math.max(...shares);
  rows[at + AT.firstSentence] = shares[0] ?? 0;
  rows[at + AT.lastSentence] = shares.at(-1) ?? 0;
  rows[at + AT.tellingSentence] = shares[telling] ?? 0;
}

function gainOf(gains: Float32Array, from: number, places: readonly number[]): number {
  let gain = 0;
  for (const k of places) gain += gains[from + k] ?? 0;
  return gain;
}
