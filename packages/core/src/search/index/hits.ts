import { BREAK } from "../text/skill-words.ts";
import { CODES, MARKS, type Sequences } from "./sequences.ts";

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

const NOT_ASKED = -MARKS - 1;

/** By code: the place of a word in the query at hand, none between two searches; of a mark the mark itself. */
export class AskedPlaces {
  readonly byCode = new Int16Array(CODES).fill(NOT_ASKED);

  constructor() {
    for (let mark = -MARKS; mark < 0; mark++) this.byCode[CODES + mark] = mark;
  }

  set(codes: Uint16Array, words: readonly number[]): void {
    words.forEach((word, place) => {
      this.byCode[codes[word] ?? 0] = place;
    });
  }

  clear(codes: Uint16Array, words: readonly number[]): void {
    for (const word of words) this.byCode[codes[word] ?? 0] = NOT_ASKED;
  }
}

/** What is read, and the words of the query at hand, by code. */
interface Reading {
  readonly index: { readonly sequences: Sequences };
  readonly codeRarity: Float32Array;
  readonly places: AskedPlaces;
}

/** One pass with nothing but numbers, because sixty skills of a thousand words are read for every search. */
export function readHits({ index, codeRarity, places }: Reading, skill: number, hits: Hits): void {
  const { byCode } = places;
  const { items, starts } = index.sequences;
  const { items: kept, positions, masses } = hits;
  const from = starts[skill] as number;
  const until = starts[skill + 1] as number;
  let count = 0;
  let mass = 0;
  for (let at = from; at < until; at++) {
    const code = items[at] as number;
    const item = byCode[code] as number;
    if (item === NOT_ASKED) {
      mass += codeRarity[code] as number;
      continue;
    }
    // Of breaks with no word of the query between them the last is enough.
    if (item === BREAK && count > 0 && kept[count - 1] === BREAK) count--;
    kept[count] = item;
    positions[count] = at - from;
    masses[count] = mass;
    count++;
    if (item >= 0) mass += codeRarity[code] as number;
  }
  hits.count = count;
}
