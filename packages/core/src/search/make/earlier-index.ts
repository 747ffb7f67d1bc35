import { type Sayings, SayingsReader } from "../index/anchors.ts";
import {
  besideReader,
  decodeNumbers,
  entryReader,
  type IndexParts,
  openDictionary,
  startsOf,
  wholeOf,
} from "../index/index-parts.ts";
import type { Entries } from "../index/postings.ts";

/** Bytes of a key. */
export const KEY = 16;

/** An index of which unchanged skills can be taken over. */
export interface EarlierIndex {
  /** The number of its skills. */
  readonly count: number;
  /** Key of a skill → its number. */
  readonly keys: ReadonlyMap<string, number>;
  readonly words: () => Iterable<string>;
  readonly entriesOf: (word: number) => Entries;
  readonly lengths: Uint32Array;
  readonly sequences: Uint8Array;
  readonly sequenceStarts: Uint32Array;
  readonly sayings: readonly Sayings[];
  readonly besideOf: (skill: number) => string;
}

/** `null` if most of it is about skills that are gone: the dictionary keeps their words. */
export function readEarlier(parts: IndexParts, skillCount: number): EarlierIndex | null {
  const keyBytes = Buffer.from(wholeOf(parts.keys));
  const count = keyBytes.length / KEY;
  const having = decodeNumbers(parts.having);
  const unused = having.reduce((sum, skills) => (skills === 0 ? sum + 1 : sum), 0);
  if (count > 2 * skillCount + 100 || 2 * unused > having.length) return null;
  const keys = new Map<string, number>();
  for (let skill = 0; skill < count; skill++)
    keys.set(keyBytes.toString("hex", skill * KEY, (skill + 1) * KEY), skill);
  const sayings = new SayingsReader(wholeOf(parts.anchors));
  return {
    count,
    keys,
    words: () => openDictionary(parts).all(),
    entriesOf: entryReader(parts, having),
    lengths: decodeNumbers(parts.lengths),
    sequences: wholeOf(parts.sequences),
    sequenceStarts: startsOf(decodeNumbers(parts.sequenceLengths)),
    besideOf: besideReader(parts),
    sayings: Array.from({ length: count }, () => sayings.next()),
  };
}
