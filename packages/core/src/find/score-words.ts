import type { QueryWords } from "./query-words.ts";
import { IMPACT_UNIT, type Scorer } from "./score.ts";

/** What a search adds up by skill; all zero between two searches. */
export interface Tally {
  readonly scores: Float32Array;
  /** The counts of the words found, put together: which fields have one at all. */
  readonly places: Uint16Array;
}

/** Adds up the score of every skill that has one of the words; answers which skills those are. */
export function scoreWords(scorer: Scorer, query: QueryWords, { scores, places }: Tally): number[] {
  const { index, impacts } = scorer;
  const { starts, skills, counts } = index;
  const touched: number[] = [];
  query.words.forEach((word, place) => {
    const weight = (query.weights[place] ?? 0) * IMPACT_UNIT;
    const end = starts[word + 1] ?? 0;
    for (let at = starts[word] ?? 0; at < end; at++) {
      const skill = skills[at] as number;
      const before = scores[skill] as number;
      if (before === 0) touched.push(skill);
      scores[skill] = before + weight * (impacts[at] as number);
      places[skill] = (places[skill] as number) | (counts[at] as number);
    }
  });
  return touched;
}
