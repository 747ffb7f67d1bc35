import { IMPACT_UNIT, type Scorer } from "../index/bm25f.ts";
import type { QueryWords } from "../query/query-words.ts";

/** What the index has for each candidate (row) and each word of a query (column). */
export interface LookUp {
  readonly counts: Uint16Array;
  readonly gains: Float32Array;
}

/** Both the entries of a word and the candidates are sorted by skill, so one pass per word is enough. */
export function lookUp(
  scorer: Scorer,
  { words, weights }: QueryWords,
  candidates: readonly number[],
): LookUp {
  const { index } = scorer;
  const counts = new Uint16Array(candidates.length * words.length);
  const gains = new Float32Array(candidates.length * words.length);
  const order = candidates.map((_, c) => c).sort((a, b) => (candidates[a] ?? 0) - (candidates[b] ?? 0));
  words.forEach((word, k) => {
    const weight = (weights[k] ?? 0) * IMPACT_UNIT;
    const { skills, counts: packed } = index.entriesOf(word);
    const impacts = scorer.impactsOf(word);
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
