import { IMPACT_UNIT, type Scorer } from "../index/bm25f.ts";
import type { QueryWords } from "../query/query-words.ts";

/** Adds the query words' impacts to the scores of all skills; every matching word adds something. */
export function scoreWords({ index, impacts }: Scorer, query: QueryWords, scores: Float32Array): void {
  const { starts, skills } = index;
  for (const [place, word] of query.words.entries()) {
    const weight = (query.weights[place] as number) * IMPACT_UNIT;
    const end = starts[word + 1] as number;
    for (let at = starts[word] as number; at < end; at++) {
      const skill = skills[at] as number;
      scores[skill] = (scores[skill] as number) + weight * (impacts[at] as number);
    }
  }
}
