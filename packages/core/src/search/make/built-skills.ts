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

/** Gives skills that another thread has read the numbers of words of this one. */
export class Renumbering {
  /** By number of the other thread. */
  #numbers: number[] = [];
  readonly #writer = new ByteWriter();

  /** The other thread numbers its words from 0 again. */
  restart(): void {
    this.#numbers = [];
  }

  /** The number of the other thread's next word. */
  add(number: number): void {
    this.#numbers.push(number);
  }

  renumber(built: BuiltSkills): BuiltSkills {
    return {
      lengths: built.lengths,
      besides: built.besides,
      ownWords: this.#ownWords(built),
      anchors: this.#anchors(built),
      ...this.#sequences(built),
    };
  }

  #ownWords({ ownWords, sequenceLengths }: BuiltSkills): Uint8Array<ArrayBuffer> {
    const numbers = this.#numbers;
    const writer = this.#writer;
    const reader = new ByteReader(ownWords);
    for (let skill = 0; skill < sequenceLengths.length; skill++) {
      const count = reader.varint();
      writer.varint(count);
      for (let left = count; left > 0; left--) {
        const value = reader.varint();
        writer.varint((numbers[value >>> 2] as number) * 4 + (value & 3));
        for (let more = bytesAfter(value); more > 0; more--) writer.byte(ownWords[reader.at++] as number);
      }
    }
    return this.#taken();
  }

  #sequences({
    sequences,
    sequenceLengths,
  }: BuiltSkills): Pick<BuiltSkills, "sequences" | "sequenceLengths"> {
    const numbers = this.#numbers;
    const writer = this.#writer;
    const reader = new ByteReader(sequences);
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
    return { sequences: this.#taken(), sequenceLengths: lengths };
  }

  #anchors({ anchors, sequenceLengths }: BuiltSkills): Uint8Array<ArrayBuffer> {
    const reader = new ByteReader(anchors);
    for (let skill = 0; skill < sequenceLengths.length; skill++) {
      const count = reader.varint();
      this.#writer.varint(count);
      for (let left = count; left > 0; left--) {
        this.#copyList(reader);
        this.#copyList(reader, this.#numbers);
      }
      this.#copyList(reader);
    }
    return this.#taken();
  }

  #copyList(reader: ByteReader, numbers?: readonly number[]): void {
    const count = reader.varint();
    this.#writer.varint(count);
    for (let left = count; left > 0; left--) {
      const item = reader.varint();
      this.#writer.varint(numbers ? (numbers[item] as number) : item);
    }
  }

  #taken(): Uint8Array<ArrayBuffer> {
    const bytes = this.#writer.written().slice();
    this.#writer.clear();
    return bytes;
  }
}
