import { ByteReader, ByteWriter } from "../../shared/stored/byte-writer.ts";
import { bytesAfter } from "../index/postings.ts";
import { MARKS } from "../index/sequences.ts";

/** Some skills that were read, in order; words by number. A few byte arrays: 100,000 skills as objects would not fit into memory. */
export interface BuiltSkills {
  readonly ownWords: Uint8Array<ArrayBuffer>;
  readonly sequences: Uint8Array<ArrayBuffer>;
  readonly anchors: Uint8Array<ArrayBuffer>;
  /** By skill. */
  readonly sequenceLengths: readonly number[];
  /** By skill and field. */
  readonly lengths: readonly number[];
  /** By skill: the state of the files beside it. */
  readonly besides: readonly string[];
}

/** The same skills with other numbers of words. */
export function renumber(built: BuiltSkills, numbers: readonly number[]): BuiltSkills {
  const sequences = renumberSequences(built, numbers);
  return {
    lengths: built.lengths,
    besides: built.besides,
    ownWords: renumberOwnWords(built, numbers),
    anchors: renumberAnchors(built, numbers),
    ...sequences,
  };
}

function renumberOwnWords(
  { ownWords, sequenceLengths }: BuiltSkills,
  numbers: readonly number[],
): Uint8Array<ArrayBuffer> {
  const reader = new ByteReader(ownWords);
  const writer = new ByteWriter(ownWords.length + (ownWords.length >> 2));
  for (let skill = 0; skill < sequenceLengths.length; skill++) {
    const count = reader.varint();
    writer.varint(count);
    for (let left = count; left > 0; left--) {
      const value = reader.varint();
      writer.varint((numbers[value >>> 2] as number) * 4 + (value & 3));
      for (let more = bytesAfter(value); more > 0; more--) writer.byte(ownWords[reader.at++] as number);
    }
  }
  return writer.written();
}

function renumberSequences(
  { sequences, sequenceLengths }: BuiltSkills,
  numbers: readonly number[],
): Pick<BuiltSkills, "sequences" | "sequenceLengths"> {
  const reader = new ByteReader(sequences);
  const writer = new ByteWriter(sequences.length + (sequences.length >> 2));
  let end = 0;
  const lengths = sequenceLengths.map((length) => {
    const start = writer.length;
    end += length;
    while (reader.at < end) {
      const item = reader.varint();
      writer.varint(item < MARKS ? item : (numbers[item - MARKS] as number) + MARKS);
    }
    return writer.length - start;
  });
  return { sequences: writer.written(), sequenceLengths: lengths };
}

function renumberAnchors(
  { anchors, sequenceLengths }: BuiltSkills,
  numbers: readonly number[],
): Uint8Array<ArrayBuffer> {
  const reader = new ByteReader(anchors);
  const writer = new ByteWriter(anchors.length + (anchors.length >> 2));
  const copyList = (byNumber?: readonly number[]): void => {
    const count = reader.varint();
    writer.varint(count);
    for (let left = count; left > 0; left--) {
      const item = reader.varint();
      writer.varint(byNumber ? (byNumber[item] as number) : item);
    }
  };
  for (let skill = 0; skill < sequenceLengths.length; skill++) {
    const count = reader.varint();
    writer.varint(count);
    for (let left = count; left > 0; left--) {
      copyList();
      copyList(numbers);
    }
    copyList();
  }
  return writer.written();
}
