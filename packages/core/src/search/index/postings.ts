import { countOneMore, FIELD_COUNT } from "../text/field-counts.ts";
import { type SkillText, skillWords } from "../text/skill-words.ts";
import { packAnchors } from "./anchors.ts";
import { cutSequences, type Sequences } from "./sequences.ts";
import type { SkillEntry } from "./skill-entry.ts";

/** With fewer skills the document count says nothing about how rare a word is. */
const LEAST_SIZE = 1_024;

/**
 * An inverted index in typed arrays: for each word the skills that have it, with counts by field. 100,000 skills are a few
 * large arrays and one dictionary, not millions of objects.
 */
export interface TextIndex {
  /** The smoothed number of skills; stays the same when few are added or removed. */
  readonly size: number;
  /** Word → its number. */
  readonly words: ReadonlyMap<string, number>;
  /** Where the entries of a word begin; has one element more than there are words. */
  readonly starts: Uint32Array;
  readonly skills: Uint32Array;
  /** Occurrences by field, packed. */
  readonly counts: Uint16Array;
  /** Number of words by skill and field. */
  readonly lengths: Uint32Array;
  readonly sequences: Sequences;
}

/** Numbers words on first use and packs skills; `invert` builds the index from them. */
export class IndexBuilder {
  readonly words: Map<string, number>;

  /** Starts with the words of an earlier index, so that unchanged skills keep their numbers. */
  constructor(words: Map<string, number> = new Map()) {
    this.words = words;
  }

  readonly #numberOf = (word: string): number => {
    const known = this.words.get(word);
    if (known !== undefined) return known;
    this.words.set(word, this.words.size);
    return this.words.size - 1;
  };

  pack(text: SkillText): SkillEntry {
    const { fields, sequence, anchors } = skillWords(text, this.#numberOf);
    const counts = new Map<number, number>();
    fields.forEach((list, field) => {
      for (const word of list) counts.set(word, countOneMore(counts.get(word) ?? 0, field));
    });
    return {
      words: Uint32Array.from(counts.keys()),
      counts: Uint16Array.from(counts.values()),
      lengths: Array.from({ length: FIELD_COUNT }, (_, field) => fields[field]?.length ?? 0),
      sequence: Int32Array.from(sequence),
      anchors: packAnchors(anchors),
    };
  }
}

export function invert(entries: readonly SkillEntry[], words: ReadonlyMap<string, number>): TextIndex {
  const starts = new Uint32Array(words.size + 1);
  for (const entry of entries) for (const word of entry.words) starts[word + 1] = (starts[word + 1] ?? 0) + 1;
  for (let word = 0; word < words.size; word++)
    starts[word + 1] = (starts[word + 1] ?? 0) + (starts[word] ?? 0);

  const total = starts[words.size] ?? 0;
  const next = starts.slice();
  const skills = new Uint32Array(total);
  const counts = new Uint16Array(total);
  const lengths = new Uint32Array(entries.length * FIELD_COUNT);
  entries.forEach((entry, skill) => {
    lengths.set(entry.lengths, skill * FIELD_COUNT);
    for (let i = 0; i < entry.words.length; i++) {
      const word = entry.words[i] ?? 0;
      const at = next[word] ?? 0;
      next[word] = at + 1;
      skills[at] = skill;
      counts[at] = entry.counts[i] ?? 0;
    }
  });
  const size = smoothedDocCount(entries.length);
  const sequences = cutSequences(entries, words, starts, size);
  return { size, words, starts, skills, counts, lengths, sequences };
}

/**
 * The number of skills, rounded up to a power of two. With the exact number, every added skill would change the scores of
 * all others, and so their order.
 */
function smoothedDocCount(skillCount: number): number {
  return Math.max(LEAST_SIZE, 2 ** Math.ceil(Math.log2(Math.max(1, skillCount))));
}
