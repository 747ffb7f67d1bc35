import { rarityOf } from "../index/bm25f.ts";
import type { QueryWords } from "../query/query-words.ts";
import { ANCHORS, countIn, FIELD_COUNT, HEADINGS, IN_NAME_OR_DESCRIPTION } from "../text/field-counts.ts";
import type { LookUp } from "./look-up.ts";

/** How much of the query a candidate has, in which field, and how rare the words are. */
export const WORD_FEATURES = [
  "name",
  "description",
  "headings",
  "body",
  "anchors",
  "inHeadings",
  "inAnchors",
  "inNameOrDescription",
  "anywhere",
  "anywhereSquared",
  "inNameOrDescriptionSquared",
  "among",
  "amongInDescription",
  "words",
  "wordsInDescription",
  "strongest",
  "missing",
  "quotedAnywhere",
  "quotedInDescription",
  "rarest",
  "rarestThree",
] as const;

/** The words of a query by their place: how telling each is in the catalog and among the candidates. */
export interface AskedWords {
  readonly weights: readonly number[];
  readonly local: readonly number[];
  readonly total: number;
  readonly totalSquared: number;
  readonly totalLocal: number;
  readonly quoted: Uint8Array;
  readonly totalQuoted: number;
  /** The places of the three rarest, rarest first. */
  readonly rarest: readonly number[];
}

export function askedWords(
  { words, trust, weights, quoted }: QueryWords,
  { counts }: LookUp,
  nearness: Float64Array,
): AskedWords {
  // A word that all of the candidates have decides nothing between them.
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

/** The features of candidate number `c`, which is this skill, put into `rows` from `at` on. */
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
  const fields = [0, 0, 0, 0, 0];
  let headings = 0;
  let anchors = 0;
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
  rows.set(
    [
      ...fields.map((value) => value / total),
      headings / total,
      anchors / total,
      close / total,
      anywhere / total,
      squared / totalSquared,
      closeSquared / totalSquared,
      among / totalLocal,
      closeLocal / totalLocal,
      found / Math.max(1, size),
      closeWords / 10,
      strongest / 10,
      missing / 10,
      quotedAnywhere / totalQuoted,
      closeQuoted / totalQuoted,
      rarest.slice(0, 1).filter(isFound).length,
      rarest.filter(isFound).length / 3,
    ],
    at,
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
