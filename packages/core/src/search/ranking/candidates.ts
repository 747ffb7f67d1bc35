import { IMPACT_UNIT, type TextIndex } from "../index/text-index.ts";
import type { QueryWords } from "../query/query-words.ts";
import { FIT_WEIGHTS, WEIGHTS } from "./weights.ts";

/** What the index has for each candidate (row) and each word of a query (column). */
export interface LookUp {
  readonly counts: Uint16Array;
  readonly gains: Float32Array;
}

/** Both the entries of a word and the candidates are sorted by skill, so one pass per word is enough. */
export function lookUpWords(
  index: TextIndex,
  { words, weights }: QueryWords,
  candidates: readonly number[],
): LookUp {
  const counts = new Uint16Array(candidates.length * words.length);
  const gains = new Float32Array(candidates.length * words.length);
  const order = candidates.map((_, c) => c).sort((a, b) => (candidates[a] ?? 0) - (candidates[b] ?? 0));
  words.forEach((word, k) => {
    const weight = (weights[k] ?? 0) * IMPACT_UNIT;
    const { skills, counts: packed, impacts } = index.entriesOf(word);
    const end = skills.length;
    let at = 0;
    for (const c of order) {
      const skill = candidates[c] ?? 0;
      // Galloping search: fast for near and distant entries.
      let step = 1;
      while (at + step < end && (skills[at + step] ?? 0) < skill) step *= 2;
      let high = Math.min(end, at + step + 1);
      while (at < high) {
        const middle = (at + high) >> 1;
        if ((skills[middle] ?? 0) < skill) at = middle + 1;
        else high = middle;
      }
      if (at >= end) break;
      if (skills[at] !== skill) continue;
      counts[c * words.length + k] = packed[at] ?? 0;
      gains[c * words.length + k] = weight * (impacts[at] ?? 0);
    }
  });
  return { counts, gains };
}

/** Adds the query words' impacts to the scores of all skills; every matching word adds something, but for function words. */
export function scoreWords(index: TextIndex, query: QueryWords, scores: Float32Array): void {
  for (const [place, word] of query.words.entries()) {
    if (query.background.weights[place] === 0) continue;
    const weight = (query.weights[place] as number) * IMPACT_UNIT;
    const { skills, impacts } = index.entriesOf(word);
    for (let at = 0; at < skills.length; at++) {
      const skill = skills[at] as number;
      scores[skill] = (scores[skill] as number) + weight * (impacts[at] as number);
    }
  }
}

/**
 * The indexes of the `count` highest scores above zero, best first; equal scores by index. `isAccepted` is called only for
 * scores that are high enough.
 */
export function topOf(
  scores: Float32Array,
  count: number,
  isAccepted?: (place: number) => boolean,
): number[] {
  const best: number[] = [];
  let least = 0;
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] as number;
    if (score <= least || (isAccepted && !isAccepted(place))) continue;
    // Indexes come in order, so the first of equals stays before the others.
    let at = best.length;
    while (at > 0 && (scores[best[at - 1] as number] as number) < score) at--;
    best.splice(at, 0, place);
    if (best.length > count) best.pop();
    if (best.length === count) least = scores[best[count - 1] ?? 0] ?? 0;
  }
  return best;
}

/** The features of ranking, and of the decision what fits, in the order of their columns in a row. */
export const FEATURES = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
export const FIT_FEATURES = Object.keys(FIT_WEIGHTS) as (keyof typeof FIT_WEIGHTS)[];
export const COLUMN_OF = columnsOf(FEATURES);
export const FIT_COLUMN_OF = columnsOf(FIT_FEATURES);

function columnsOf<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, column) => [name, column])) as Record<Name, number>;
}
