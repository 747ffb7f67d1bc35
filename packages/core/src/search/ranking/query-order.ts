import type { Scorer } from "../index/bm25f.ts";
import type { QueryWords } from "../query/query-words.ts";

/** The words of a query by position, to be matched with sequences. */
export interface QueryOrder {
  /** The weight of each word. */
  readonly weights: readonly number[];
  /** The value of two adjacent words: rows are the first, columns the second. */
  readonly pairs: Float32Array;
  readonly total: number;
  readonly totalPairs: number;
  /** Scratch space by position and by pair: the stretch or part in which it was last counted. */
  readonly countedWord: Int32Array;
  readonly countedPair: Int32Array;
  /** Numbers the stretches and parts of all candidates of the query. */
  stamp: number;
}

export function queryOrder(
  { index }: Scorer,
  query: QueryWords,
  weights: readonly number[],
  total: number,
): QueryOrder {
  const { mostSkills } = index.sequences;
  const isContent = query.words.map(
    (word) => (index.starts[word + 1] ?? 0) - (index.starts[word] ?? 0) <= mostSkills,
  );
  const size = query.words.length;
  const pairs = new Float32Array(size * size);
  let totalPairs = 0;
  for (const sentence of query.sentences) {
    const content = sentence.filter((place) => isContent[place]);
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
    weights,
    pairs,
    total,
    totalPairs: totalPairs || 1,
    countedWord: new Int32Array(size),
    countedPair: new Int32Array(size * size),
    stamp: 0,
  };
}
