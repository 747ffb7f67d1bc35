import { FIELD_COUNT } from "./skill-words.ts";
import type { TextIndex } from "./text-index.ts";

/**
 * BM25F: a word counts more the rarer it is among the skills, more in the name than in the body, and less with every
 * repetition. What does not depend on the query is worked out once, a number for each entry of the index.
 */
const WEIGHT = [8, 4, 2, 1] as const;
/** How much a long field is held against a skill, by field. */
const LENGTH = [0.3, 0.5, 0.7, 0.75] as const;
const SATURATION = 4;
/**
 * How many words skills usually have, by field. With the averages of the catalog at hand, and with its exact size, every
 * skill that is added would move the scores of all others, and so their order, whatever it is about.
 */
const USUAL_LENGTH = [3, 45, 55, 1_000] as const;
/** Below this the number of skills says nothing about how rare a word is. */
const LEAST_SIZE = 1_024;

export interface Scorer {
  readonly index: TextIndex;
  /** About how many skills there are: it doubles now and then, and is the same in between. */
  readonly size: number;
  /** By entry of the index. */
  readonly impacts: Float32Array;
  /** By word: how telling it is. */
  readonly rarity: Float32Array;
  /** By skill: how telling its name is altogether. */
  readonly nameRarity: Float32Array;
  /** By word: its place in the query at hand, -1 between two searches. */
  readonly places: Int16Array;
}

export function makeScorer(index: TextIndex): Scorer {
  const { skillCount, starts, skills, counts, lengths } = index;
  const norms = new Float32Array(lengths.length);
  for (let i = 0; i < lengths.length; i++) {
    const field = i % FIELD_COUNT;
    const b = LENGTH[field] ?? 0;
    norms[i] = (WEIGHT[field] ?? 0) / (1 - b + (b * (lengths[i] ?? 0)) / (USUAL_LENGTH[field] ?? 1));
  }
  const impacts = new Float32Array(skills.length);
  for (let at = 0; at < skills.length; at++) {
    const packed = counts[at] ?? 0;
    const base = (skills[at] ?? 0) * FIELD_COUNT;
    const sum =
      (packed & 0xff) * (norms[base] ?? 0) +
      ((packed >>> 8) & 0xff) * (norms[base + 1] ?? 0) +
      ((packed >>> 16) & 0xff) * (norms[base + 2] ?? 0) +
      (packed >>> 24) * (norms[base + 3] ?? 0);
    impacts[at] = sum / (SATURATION + sum);
  }
  const size = Math.max(LEAST_SIZE, 2 ** Math.ceil(Math.log2(Math.max(1, skillCount))));
  const wordCount = starts.length - 1;
  const rarity = new Float32Array(wordCount);
  for (let word = 0; word < wordCount; word++) {
    const having = (starts[word + 1] ?? 0) - (starts[word] ?? 0);
    rarity[word] = Math.log(1 + (size - having + 0.5) / (having + 0.5));
  }
  const nameRarity = new Float32Array(skillCount);
  for (let word = 0; word < wordCount; word++) {
    for (let at = starts[word] ?? 0; at < (starts[word + 1] ?? 0); at++) {
      if (((counts[at] ?? 0) & 0xff) === 0) continue;
      const skill = skills[at] ?? 0;
      nameRarity[skill] = (nameRarity[skill] ?? 0) + (rarity[word] ?? 0);
    }
  }
  return { index, size, impacts, rarity, nameRarity, places: new Int16Array(wordCount).fill(-1) };
}

/** What a search adds up by skill; all zero between two searches. */
export interface Tally {
  readonly scores: Float32Array;
  /** The counts of the words found, by field and put together: which fields have one at all. */
  readonly places: Uint32Array;
}

/** Adds up the score of every skill that has one of the words; answers which skills those are. */
export function scoreWords(scorer: Scorer, words: readonly number[], { scores, places }: Tally): number[] {
  const { index, impacts, rarity } = scorer;
  const { starts, skills, counts } = index;
  const touched: number[] = [];
  for (const word of words) {
    const weight = rarity[word] ?? 0;
    const end = starts[word + 1] ?? 0;
    for (let at = starts[word] ?? 0; at < end; at++) {
      const skill = skills[at] ?? 0;
      const before = scores[skill] ?? 0;
      if (before === 0) touched.push(skill);
      scores[skill] = before + weight * (impacts[at] ?? 0);
      places[skill] = (places[skill] ?? 0) | (counts[at] ?? 0);
    }
  }
  return touched;
}
