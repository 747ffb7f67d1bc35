import { countIn, FIELD_COUNT } from "../text/field-counts.ts";
import { AskedPlaces, type Hits, makeHits } from "./hits.ts";
import type { TextIndex } from "./postings.ts";
import { CODES } from "./sequences.ts";

/**
 * BM25F: a word counts more the rarer it is among the skills, more in the name than in the body, and less with every
 * repetition. What does not depend on the query is worked out once, a number for each entry of the index.
 */
const WEIGHT = [8, 4, 2, 1, 1] as const;
/** How much a long field is held against a skill, by field. */
const LENGTH = [0.3, 0.5, 0.7, 0.75, 0.5] as const;
/**
 * How many words skills usually have, by field. With the averages of the catalog at hand every skill that is added would
 * move the scores of all others.
 */
const USUAL_LENGTH = [3, 45, 55, 1_100, 30] as const;
const SATURATION = 4;
/** An impact is between 0 and 1; it is kept in two bytes. */
export const IMPACT_UNIT = 1 / 0xffff;

export interface Scorer {
  readonly index: TextIndex;
  /** By entry of the index. */
  readonly impacts: Uint16Array;
  /** By word: how telling it is. */
  readonly rarity: Float32Array;
  /** By skill and field: what one word of it counts there, the less the longer it is. */
  readonly norms: Float32Array;
  /** By code of a word in sequences: how telling it is, and its place in the query at hand. */
  readonly codeRarity: Float32Array;
  readonly places: AskedPlaces;
  /** Room for the words of one skill. */
  readonly hits: Hits;
}

export function makeScorer(index: TextIndex): Scorer {
  const { size, starts, skills, counts, lengths } = index;
  const norms = new Float32Array(lengths.length);
  for (let i = 0; i < lengths.length; i++) {
    const field = i % FIELD_COUNT;
    const b = LENGTH[field] ?? 0;
    norms[i] = 1 / (1 - b + (b * (lengths[i] ?? 0)) / (USUAL_LENGTH[field] ?? 1));
  }
  const impacts = new Uint16Array(skills.length);
  for (let at = 0; at < skills.length; at++) {
    const packed = counts[at] ?? 0;
    const base = (skills[at] ?? 0) * FIELD_COUNT;
    let sum = 0;
    for (let field = 0; field < FIELD_COUNT; field++)
      sum += countIn(packed, field) * (WEIGHT[field] as number) * (norms[base + field] as number);
    impacts[at] = Math.max(1, Math.round(sum / (SATURATION + sum) / IMPACT_UNIT));
  }
  const wordCount = starts.length - 1;
  const rarity = new Float32Array(wordCount);
  for (let word = 0; word < wordCount; word++)
    rarity[word] = rarityOf((starts[word + 1] ?? 0) - (starts[word] ?? 0), size);
  return {
    index,
    impacts,
    rarity,
    norms,
    codeRarity: codeRarities(index),
    places: new AskedPlaces(),
    hits: makeHits(index.sequences.longest),
  };
}

/** Nearly all codes are free where there are few skills. */
function codeRarities({ sequences: { having }, size }: TextIndex): Float32Array {
  const rarities = new Float32Array(CODES);
  for (let code = 0; code < CODES; code++) {
    const count = having[code] as number;
    if (count > 0) rarities[code] = rarityOf(count, size);
  }
  return rarities;
}

/** How telling a word is that so many of the skills have. */
export function rarityOf(having: number, size: number): number {
  return Math.log(1 + (size - having + 0.5) / (having + 0.5));
}
