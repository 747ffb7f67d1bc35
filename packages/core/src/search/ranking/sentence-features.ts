import { columns } from "./columns.ts";
import type { LookUp } from "./look-up.ts";

/** How well a candidate matches single sentences of the query, compared with the best match. */
export const SENTENCE_FEATURES = [
  "sentences",
  "bestSentence",
  "firstSentence",
  "lastSentence",
  "tellingSentence",
] as const;
const AT = columns(SENTENCE_FEATURES);

export interface AskedSentences {
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

/** Writes the features of the candidate whose gains begin at `from` into `rows`, from `at` on. */
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
