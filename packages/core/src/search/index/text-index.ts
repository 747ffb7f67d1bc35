import type { Dictionary } from "./dictionary.ts";
import type { Entries } from "./postings.ts";
import type { Sequences } from "./sequences.ts";

/** With fewer skills the document count says nothing about how rare a word is. */
const LEAST_SIZE = 1_024;

/**
 * An inverted index: for each word the skills that have it, with counts by field. A query reads only the entries of its own
 * words and the sequences of its candidates.
 */
export interface TextIndex {
  /** The smoothed number of skills; stays the same when few are added or removed. */
  readonly size: number;
  readonly words: Dictionary;
  /** Where the entries of a word begin among all entries; has one element more than there are words. */
  readonly starts: Uint32Array;
  /** Number of words by skill and field. */
  readonly lengths: Uint32Array;
  readonly sequences: Sequences;
  entriesOf(word: number): Entries;
  /** The state of the files beside a skill, as they were read. */
  readonly besideOf: (skill: number) => string;
}

/**
 * The number of skills, rounded up to a power of two. With the exact number, every added skill would change the scores of
 * all others, and so their order.
 */
export function smoothedDocCount(skillCount: number): number {
  return Math.max(LEAST_SIZE, 2 ** Math.ceil(Math.log2(Math.max(1, skillCount))));
}
