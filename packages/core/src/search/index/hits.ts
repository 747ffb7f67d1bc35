import { BREAK } from "../text/skill-words.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { CODES, MARKS, type Sequences } from "./sequences.ts";

/** The words of the query in a skill, in the skill's order, with the marks between them. */
export interface Hits {
  count: number;
  /** The position of the word in the query, or a mark. */
  readonly items: Int32Array;
  /** Its position among all words and marks of the skill. */
  readonly positions: Int32Array;
  /** The summed rarity of all words before it. */
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

/** By code: the position of a word in the current query, reset between searches; a mark stands for itself. */
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

/** The sequences, and the words of the current query by code. */
interface Reading {
  readonly index: { readonly sequences: Sequences };
  readonly massesOf: (skill: number) => Float32Array;
  readonly places: AskedPlaces;
}

/** Bytes of masses to keep. */
const MAX_KEPT = 128e6;

/** By skill: the summed rarity of all words before each place of its sequence. */
export function massReader(sequences: Sequences, codeRarity: Float32Array): (skill: number) => Float32Array {
  const known = new BoundedCache<Float32Array>(MAX_KEPT);
  return (skill) => {
    let masses = known.get(skill);
    if (masses) return masses;
    const items = sequences.of(skill);
    masses = new Float32Array(items.length);
    let mass = 0;
    for (let at = 0; at < items.length; at++) {
      masses[at] = mass;
      mass += codeRarity[items[at] as number] as number;
    }
    known.set(skill, masses, masses.byteLength);
    return masses;
  };
}

/** One pass over plain numbers, because every search reads sixty skills of a thousand words. */
export function readHits({ index, massesOf, places }: Reading, skill: number, hits: Hits): void {
  const { byCode } = places;
  const items = index.sequences.of(skill);
  const before = massesOf(skill);
  const { items: kept, positions, masses } = hits;
  let count = 0;
  for (let at = 0; at < items.length; at++) {
    const item = byCode[items[at] as number] as number;
    if (item === NOT_ASKED) continue;
    // Of several breaks without a word of the query in between, keep the last.
    if (item === BREAK && count > 0 && kept[count - 1] === BREAK) count--;
    kept[count] = item;
    positions[count] = at;
    masses[count] = before[at] as number;
    count++;
  }
  hits.count = count;
}
