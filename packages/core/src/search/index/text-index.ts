import { ByteReader, ByteWriter, startsOf } from "../../shared/stored/byte-writer.ts";
import { type Part, type PartBytes, partInMemory, type StoredParts } from "../../shared/stored/parts-file.ts";
import { BODY, countIn, countOneMore, FIELD_COUNT } from "../text/skill-words.ts";
import { Dictionary, encodeDictionary } from "./dictionary.ts";
import { type Entries, type Postings, readEntries } from "./postings.ts";
import { CODES, decodeSequence, giveCodes } from "./sequences.ts";

/**
 * An inverted index: for each word the skills that have it, with counts by field. A query reads only the entries of its own
 * words and the sequences of its candidates.
 */
export interface TextIndex {
  /** The smoothed number of skills; stays the same when few are added or removed. */
  readonly size: number;
  readonly words: Dictionary;
  /** By word: how many skills have it; 0 for a word of removed skills. */
  readonly having: Uint32Array;
  /** By word. */
  readonly rarity: Float32Array;
  /** By word: its code in sequences. */
  readonly codes: Uint16Array;
  /** Number of words by skill and field. */
  readonly lengths: Uint32Array;
  /** By skill and field: the value of one word there, lower in a longer field. */
  readonly norms: Float32Array;
  /** No sequence is longer. */
  readonly longestSequence: number;
  readonly entriesOf: (word: number) => ScoredEntries;
  readonly sequenceOf: (skill: number) => Sequence;
  /** The state of the files beside a skill, as they were read. */
  readonly besideOf: (skill: number) => string;
  /** Whether its file turned out to be damaged: then what was read of it is wrong. */
  readonly isDamaged: () => boolean;
}

interface ScoredEntries extends Entries {
  /** BM25F, between 0 and 1, in units of `IMPACT_UNIT`. */
  readonly impacts: Uint16Array;
}

interface Sequence {
  /** Word codes, and marks, which count down from the highest code. */
  readonly items: Uint16Array;
  /** The summed rarity of all words before each item. */
  readonly masses: Float32Array;
}

/** Increment when tokenizing or the layout changes. */
export const INDEX_MAGIC = "KNACKIX4";

/** The parts of an index, in the order of the file. The last two are only for the next update. */
const PARTS = [
  "digest",
  "having",
  "textLengths",
  "texts",
  "slots",
  "codes",
  "postingLengths",
  "postings",
  "lengths",
  "sequenceLengths",
  "sequences",
  "besideLengths",
  "besides",
  "keys",
  "anchors",
] as const;
type PartName = (typeof PARTS)[number];
export type IndexParts = Readonly<Record<PartName, Part>> & Pick<StoredParts, "isDamaged">;

export interface IndexContent {
  /** Tells of which skills this is the index. */
  readonly digest: Uint8Array;
  readonly keys: Uint8Array;
  readonly words: ReadonlyMap<string, number>;
  readonly postings: Postings;
  readonly lengths: ArrayLike<number>;
  readonly sequenceLengths: ArrayLike<number>;
  readonly sequences: PartBytes;
  readonly anchors: Uint8Array;
  /** By skill: the state of the files beside it. */
  readonly besides: readonly string[];
}

/** In the order of the file. */
export function encodeIndex(content: IndexContent): PartBytes[] {
  const { words, postings } = content;
  const dictionary = encodeDictionary(words.keys());
  const codes = giveCodes(words.keys(), postings.having);
  const besides = content.besides.map((state) => Buffer.from(state));
  const parts: Record<PartName, PartBytes> = {
    ...content,
    having: encodeNumbers(postings.having),
    textLengths: encodeNumbers(dictionary.lengths),
    texts: dictionary.texts,
    slots: dictionary.slots,
    codes: new Uint8Array(codes.buffer),
    postingLengths: encodeNumbers(postings.byteLengths),
    postings: postings.bytes,
    lengths: encodeNumbers(content.lengths),
    sequenceLengths: encodeNumbers(content.sequenceLengths),
    besideLengths: encodeNumbers(besides.map(({ length }) => length)),
    besides: Buffer.concat(besides),
  };
  return PARTS.map((name) => parts[name]);
}

/** `null` if these are not the parts of an index. */
export function namedParts(stored: StoredParts): IndexParts | null {
  if (stored.parts.length !== PARTS.length) return null;
  const named = Object.fromEntries(PARTS.map((name, i) => [name, stored.parts[i]]));
  return { ...(named as Record<PartName, Part>), isDamaged: () => stored.isDamaged() };
}

export function partsInMemory(encoded: readonly PartBytes[]): IndexParts {
  return namedParts({ parts: encoded.map(partInMemory), isDamaged: () => false }) as IndexParts;
}

export function openInMemory(encoded: readonly PartBytes[]): TextIndex {
  return openIndex(partsInMemory(encoded));
}

/** Reads what every query needs; the rest is read where a query needs it. */
export function openIndex(parts: IndexParts): TextIndex {
  const having = decodeNumbers(parts.having);
  const lengths = decodeNumbers(parts.lengths);
  const size = smoothedDocCount(lengths.length / FIELD_COUNT);
  const rarity = raritiesOf(having, size);
  const norms = normsOf(lengths);
  const codes = new Uint16Array(new Uint8Array(wholeOf(parts.codes)).buffer);
  const codeRarity = codeRarities(codes, having, rarity);
  const sequenceLengths = decodeNumbers(parts.sequenceLengths);
  const sequenceBytes = sliceReader(parts.sequences, sequenceLengths);
  const readEntriesOf = entryReader(parts, having);
  const kept = keeper();
  return {
    size,
    words: openDictionary(parts),
    having,
    rarity,
    codes,
    lengths,
    norms,
    isDamaged: parts.isDamaged,
    longestSequence: sequenceLengths.reduce((longest, length) => Math.max(longest, length), 0),
    besideOf: besideReader(parts),
    entriesOf: kept((word) => {
      const entries = readEntriesOf(word);
      return { ...entries, impacts: impactsOf(entries, norms) };
    }),
    sequenceOf: kept((skill) => {
      const items = decodeSequence(sequenceBytes(skill), codes, having, size);
      const masses = new Float32Array(items.length);
      let mass = 0;
      for (let at = 0; at < items.length; at++) {
        masses[at] = mass;
        mass += codeRarity[items[at] as number] as number;
      }
      return { items, masses };
    }),
  };
}

/** Bytes of decoded entries and sequences to keep; more than that begins again. */
const MAX_KEPT = 512e6;

/** Makes functions that keep what they read, all within one bound. */
function keeper(): <T extends object>(read: (key: number) => T) => (key: number) => T {
  const all: Map<number, object>[] = [];
  let bytes = 0;
  return <T extends object>(read: (key: number) => T) => {
    const known = new Map<number, T>();
    all.push(known);
    return (key) => {
      let value = known.get(key);
      if (value) return value;
      value = read(key);
      for (const array of Object.values(value) as Uint8Array[]) bytes += array.byteLength;
      if (bytes > MAX_KEPT) {
        for (const map of all) map.clear();
        bytes = 0;
      }
      known.set(key, value);
      return value;
    };
  };
}

/** With fewer skills the document count says nothing about how rare a word is. */
export const LEAST_SIZE = 1_024;

/**
 * The number of skills, rounded up to a power of two. With the exact number, every added skill would change the scores of
 * all others, and so their order.
 */
function smoothedDocCount(skillCount: number): number {
  return Math.max(LEAST_SIZE, 2 ** Math.ceil(Math.log2(Math.max(1, skillCount))));
}

/** The rarity of a word that this many skills have. */
export function rarityOf(having: number, size: number): number {
  return Math.log(1 + (size - having + 0.5) / (having + 0.5));
}

function raritiesOf(having: Uint32Array, size: number): Float32Array {
  const byCount = new Map<number, number>();
  return Float32Array.from(having, (count) => {
    const rarity = byCount.get(count) ?? rarityOf(count, size);
    byCount.set(count, rarity);
    return rarity;
  });
}

/** By code: the rarity of its word, or of the most common one of those that share it. */
function codeRarities(codes: Uint16Array, having: Uint32Array, rarity: Float32Array): Float32Array {
  const rarities = new Float32Array(CODES);
  for (let word = 0; word < codes.length; word++) {
    if (having[word] === 0) continue;
    const code = codes[word] as number;
    const known = rarities[code] as number;
    if (known === 0 || (rarity[word] as number) < known) rarities[code] = rarity[word] as number;
  }
  return rarities;
}

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
/** Most entries are of words that only a body has. */
const BODY_ONCE = countOneMore(0, BODY);

function normsOf(lengths: Uint32Array): Float32Array {
  const norms = new Float32Array(lengths.length);
  for (let i = 0; i < lengths.length; i++) {
    const field = i % FIELD_COUNT;
    const b = LENGTH[field] as number;
    norms[i] = 1 / (1 - b + (b * (lengths[i] as number)) / (USUAL_LENGTH[field] as number));
  }
  return norms;
}

function impactsOf({ skills, counts }: Entries, norms: Float32Array): Uint16Array {
  const impacts = new Uint16Array(skills.length);
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
  return impacts;
}

/** Reads the state of the files beside a skill. */
export function besideReader(parts: IndexParts): (skill: number) => string {
  const bytesOf = sliceReader(parts.besides, decodeNumbers(parts.besideLengths));
  return (skill) => Buffer.from(bytesOf(skill)).toString();
}

export function openDictionary({ texts, slots, textLengths }: IndexParts): Dictionary {
  return new Dictionary(texts, slots, startsOf(decodeNumbers(textLengths)));
}

/** Reads the entries of a word anew each time. */
export function entryReader(parts: IndexParts, having: Uint32Array): (word: number) => Entries {
  const bytesOf = sliceReader(parts.postings, decodeNumbers(parts.postingLengths));
  return (word) => readEntries(bytesOf(word), having[word] ?? 0);
}

function sliceReader(part: Part, lengths: Uint32Array): (number: number) => Uint8Array {
  const starts = startsOf(lengths);
  return (number) => part.read(starts[number] ?? 0, lengths[number] ?? 0);
}

export function wholeOf(part: Part): Uint8Array {
  return part.read(0, part.length);
}

function encodeNumbers(numbers: ArrayLike<number>): Uint8Array {
  const writer = new ByteWriter(2 * numbers.length + 5);
  writer.list(numbers);
  return writer.written();
}

export function decodeNumbers(part: Part): Uint32Array {
  return new ByteReader(wholeOf(part)).list();
}
