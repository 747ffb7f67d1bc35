import { ByteReader, ByteWriter } from "../../shared/stored/byte-writer.ts";
import { type Part, type PartBytes, partInMemory } from "../../shared/stored/parts-file.ts";
import { FIELD_COUNT } from "../text/field-counts.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { Dictionary, encodeDictionary } from "./dictionary.ts";
import { type Entries, type Postings, readEntries } from "./postings.ts";
import { giveCodes, Sequences } from "./sequences.ts";
import { smoothedDocCount, type TextIndex } from "./text-index.ts";

/** Increment when tokenizing or the layout changes. */
export const INDEX_MAGIC = "KNACKIX3";

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
export type IndexParts = Readonly<Record<PartName, Part>>;

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
  const dictionary = encodeDictionary(words.keys(), words.size);
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
export function namedParts(parts: readonly Part[]): IndexParts | null {
  if (parts.length !== PARTS.length) return null;
  return Object.fromEntries(PARTS.map((name, i) => [name, parts[i]])) as Record<PartName, Part>;
}

export function partsInMemory(encoded: readonly PartBytes[]): IndexParts {
  return namedParts(encoded.map(partInMemory)) as IndexParts;
}

/** Bytes of decoded entries to keep. */
const MAX_KEPT = 256e6;
const BYTES_PER_ENTRY = 6;

/** Reads what every query needs; the rest is read where a query needs it. */
export function openIndex(parts: IndexParts): TextIndex {
  const having = decodeNumbers(parts.having);
  const starts = startsOf(having);
  const lengths = decodeNumbers(parts.lengths);
  const size = smoothedDocCount(lengths.length / FIELD_COUNT);
  const entriesOf = entryReader(parts, having);
  const decoded = new BoundedCache<Entries>(MAX_KEPT);
  return {
    size,
    words: openDictionary(parts),
    starts,
    lengths,
    sequences: new Sequences({
      bytes: parts.sequences,
      starts: startsOf(decodeNumbers(parts.sequenceLengths)),
      codes: new Uint16Array(new Uint8Array(wholeOf(parts.codes)).buffer),
      wordStarts: starts,
      size,
    }),
    besideOf: besideReader(parts),
    entriesOf(word) {
      let entries = decoded.get(word);
      if (entries === undefined) {
        entries = entriesOf(word);
        decoded.set(word, entries, BYTES_PER_ENTRY * entries.skills.length);
      }
      return entries;
    },
  };
}

/** Reads the state of the files beside a skill. */
export function besideReader(parts: IndexParts): (skill: number) => string {
  const starts = startsOf(decodeNumbers(parts.besideLengths));
  return (skill) => {
    const from = starts[skill] ?? 0;
    return Buffer.from(parts.besides.read(from, (starts[skill + 1] ?? from) - from)).toString();
  };
}

export function openDictionary({ texts, slots, textLengths }: IndexParts): Dictionary {
  return new Dictionary(texts, slots, startsOf(decodeNumbers(textLengths)));
}

/** Reads the entries of a word anew each time. */
export function entryReader(parts: IndexParts, having: Uint32Array): (word: number) => Entries {
  const starts = startsOf(decodeNumbers(parts.postingLengths));
  return (word) => {
    const from = starts[word] ?? 0;
    return readEntries(parts.postings.read(from, (starts[word + 1] ?? from) - from), having[word] ?? 0);
  };
}

export function wholeOf(part: Part): Uint8Array {
  return part.read(0, part.length);
}

function encodeNumbers(numbers: ArrayLike<number>): Uint8Array {
  const writer = new ByteWriter(2 * numbers.length + 5);
  writer.varint(numbers.length);
  for (let i = 0; i < numbers.length; i++) writer.varint(numbers[i] as number);
  return writer.written();
}

export function decodeNumbers(part: Part): Uint32Array {
  const reader = new ByteReader(wholeOf(part));
  const numbers = new Uint32Array(reader.varint());
  for (let i = 0; i < numbers.length; i++) numbers[i] = reader.varint();
  return numbers;
}

/** Where each begins, and where the last ends. */
export function startsOf(lengths: Uint32Array): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] as number) + (lengths[i] as number);
  return starts;
}
