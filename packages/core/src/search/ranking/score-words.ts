import { IMPACT_UNIT, type Scorer } from "../index/bm25f.ts";
import type { QueryWords } from "../query/query-words.ts";

/** Adds the query words' impacts to the scores of all skills; every matching word adds something. */
export function scoreWords({ index, impactsOf }: Scorer, query: QueryWords, scores: Float32Array): void {
  for (const [place, word] of query.words.entries()) {
    const weight = (query.weights[place] as number) * IMPACT_UNIT;
    const { skills } = index.entriesOf(word);
    const impacts = impactsOf(word);
    for (let at = 0; at < skills.length; at++) {
      const skill = skills[at] as number;
      scores[skill] = (scores[skill] as number) + weight * (impacts[at] as number);
    }
  }
}
