import { BODY, countIn, countOneMore, FIELD_COUNT } from "../text/field-counts.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { AskedPlaces, type Hits, makeHits, massReader } from "./hits.ts";
import { CODES } from "./sequences.ts";
import type { TextIndex } from "./text-index.ts";

/**
 * BM25F: a word counts more the rarer it is, more in the name than in the body, and less with every repetition. What does
 * not depend on the query is computed once, one number per entry of a word.
 */
const WEIGHT = [8, 4, 2, 1, 0.35, 1] as const;
/** Length normalization by field. */
const LENGTH = [0.3, 0.5, 0.7, 0.75, 0.75, 0.5] as const;
/** Typical number of words by field. With the real averages, every added skill would change the scores of all others. */
const USUAL_LENGTH = [3, 45, 55, 1_100, 1_000, 30] as const;
const SATURATION = 4;
/** An impact is between 0 and 1, stored in two bytes. */
export const IMPACT_UNIT = 1 / 0xffff;

export interface Scorer {
  readonly index: TextIndex;
  /** By entry of a word. */
  readonly impactsOf: (word: number) => Uint16Array;
  /** By word: its rarity. */
  readonly rarity: Float32Array;
  /** By skill and field: the value of one word there, lower in a longer field. */
  readonly norms: Float32Array;
  /** By skill: see `massReader`. */
  readonly massesOf: (skill: number) => Float32Array;
  /** By word code in sequences: its position in the current query. */
  readonly places: AskedPlaces;
  /** Scratch space for the words of one skill. */
  readonly hits: Hits;
}

export function makeScorer(index: TextIndex): Scorer {
  const { size, starts, lengths } = index;
  const norms = new Float32Array(lengths.length);
  for (let i = 0; i < lengths.length; i++) {
    const field = i % FIELD_COUNT;
    const b = LENGTH[field] ?? 0;
    norms[i] = 1 / (1 - b + (b * (lengths[i] ?? 0)) / (USUAL_LENGTH[field] ?? 1));
  }
  const rarityByCount = new Float32Array(lengths.length / FIELD_COUNT + 1).fill(-1);
  const wordCount = starts.length - 1;
  const rarity = new Float32Array(wordCount);
  for (let word = 0; word < wordCount; word++) {
    const count = (starts[word + 1] as number) - (starts[word] as number);
    if (rarityByCount[count] === -1) rarityByCount[count] = rarityOf(count, size);
    rarity[word] = rarityByCount[count] as number;
  }
  return {
    index,
    impactsOf: impactReader(index, norms),
    rarity,
    norms,
    massesOf: massReader(index.sequences, codeRarities(index, rarity)),
    places: new AskedPlaces(),
    hits: makeHits(index.sequences.longest + 1),
  };
}

/** By code: the rarity of its word, or of the most common one of those that share it. */
function codeRarities({ sequences, starts }: TextIndex, rarity: Float32Array): Float32Array {
  const { codes } = sequences;
  const rarities = new Float32Array(CODES);
  for (let word = 0; word < codes.length; word++) {
    // The dictionary may have words of removed skills.
    if (starts[word] === starts[word + 1]) continue;
    const code = codes[word] as number;
    const known = rarities[code] as number;
    if (known === 0 || (rarity[word] as number) < known) rarities[code] = rarity[word] as number;
  }
  return rarities;
}

/** Most entries are of words that only a body has. */
const BODY_ONCE = countOneMore(0, BODY);
/** Bytes of impacts to keep. */
const MAX_KEPT = 128e6;

function impactReader(index: TextIndex, norms: Float32Array): (word: number) => Uint16Array {
  const known = new BoundedCache<Uint16Array>(MAX_KEPT);
  return (word) => {
    let impacts = known.get(word);
    if (impacts) return impacts;
    const { skills, counts } = index.entriesOf(word);
    impacts = new Uint16Array(skills.length);
    for (let at = 0; at < skills.length; at++) {
      const packed = counts[at] as number;
      const base = (skills[at] as number) * FIELD_COUNT;
      let sum = 0;
      const inBody = countIn(packed, BODY);
      if (packed === inBody * BODY_ONCE) sum = inBody * WEIGHT[BODY] * (norms[base + BODY] as number);
      else
        for (let field = 0; field < FIELD_COUNT; field++) {
          const count = countIn(packed, field);
          if (count > 0) sum += count * (WEIGHT[field] as number) * (norms[base + field] as number);
        }
      impacts[at] = Math.max(1, Math.round(sum / (SATURATION + sum) / IMPACT_UNIT));
    }
    known.set(word, impacts, impacts.byteLength);
    return impacts;
  };
}

/** The rarity of a word that this many skills have. */
export function rarityOf(having: number, size: number): number {
  return Math.log(1 + (size - having + 0.5) / (having + 0.5));
}
