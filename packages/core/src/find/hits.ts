import { markOf, type Sequences } from "./sequences.ts";
import { BREAK } from "./skill-words.ts";

/** What is left of a skill's words in their order when only those of the query are kept, and the marks between them. */
export interface Hits {
  count: number;
  /** The place of a word in the query, or a mark. */
  readonly items: Int32Array;
  /** Where each stands among all words and marks of the skill. */
  readonly positions: Int32Array;
  /** How telling all words before it are together. */
  readonly masses: Float32Array;
}

export function makeHits(size: number): Hits {
  return {
    count: 0,
    items: new Int32Array(size),
    positions: new Int32Array(size),
    masses: new Float32Array(size),
  };
}

/** What is read, and the words of the query at hand, by code. */
interface Reading {
  readonly index: { readonly sequences: Sequences };
  readonly codeRarity: Float32Array;
  readonly places: Int16Array;
}

/** One pass with nothing but numbers, because sixty skills of a thousand words are read for every search. */
export function readHits({ index, codeRarity, places }: Reading, skill: number, hits: Hits): void {
  const { items, starts } = index.sequences;
  const from = starts[skill] as number;
  const until = starts[skill + 1] as number;
  let count = 0;
  let mass = 0;
  for (let at = from; at < until; at++) {
    const code = items[at] as number;
    let item = places[code] as number;
    if (item < 0) {
      item = markOf(code);
      if (item === 0) {
        mass += codeRarity[code] as number;
        continue;
      }
      // Of breaks with no word of the query between them the last is enough.
      if (item === BREAK && count > 0 && hits.items[count - 1] === BREAK) count--;
    }
    hits.items[count] = item;
    hits.positions[count] = at - from;
    hits.masses[count] = mass;
    count++;
    if (item >= 0) mass += codeRarity[code] as number;
  }
  hits.count = count;
}
