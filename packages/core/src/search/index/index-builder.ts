import { ByteReader, ByteWriter } from "../../shared/stored/byte-writer.ts";
import { ANCHORS, countOneMore, FIELD_COUNT, type SkillText, skillWords } from "../text/skill-words.ts";
import { WordReader } from "../text/word-reader.ts";
import { writeMentions } from "./anchors.ts";
import { bytesAfter, writeEntry } from "./postings.ts";
import { MARKS, writeSequence } from "./sequences.ts";
import type { Beside } from "./skill-files.ts";

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

/** Reads the texts of skills and numbers their words. */
export class IndexBuilder {
  readonly #reader: WordReader;
  readonly #names: ReadonlySet<number>;
  /** By word: its counts in the current skill, zero between skills. */
  #counts = new Uint16Array(1 << 12);
  readonly #ownWords = new ByteWriter();
  readonly #sequences = new ByteWriter();
  readonly #anchors = new ByteWriter();
  #sequenceLengths: number[] = [];
  #lengths: number[] = [];
  #besides: string[] = [];

  /**
   * Begins with the words of an earlier index, so that unchanged skills keep their numbers. `names`: the names of all skills, as
   * marks.
   */
  constructor(names: ReadonlySet<number>, words: Iterable<string> = []) {
    this.#names = names;
    this.#reader = new WordReader(words);
  }

  get words(): ReadonlyMap<string, number> {
    return this.#reader.words;
  }

  /** Forgets all words; for a builder whose skills were taken. */
  restart(): void {
    this.#reader.restart();
  }

  /** Frees what is only for reading. */
  end(): void {
    this.#reader.forgetPieces();
  }

  numberOf(word: string): number {
    return this.#reader.numberOf(word);
  }

  add(text: Omit<SkillText, "beside">, beside: Beside): void {
    const whole = { ...text, beside: beside.text };
    const { fields, sequence, anchors, others } = skillWords(whole, this.#reader, this.#names);
    this.#besides.push(beside.state);
    if (this.#counts.length < this.words.size) this.#counts = new Uint16Array(2 * this.words.size);
    const counts = this.#counts;
    const own: number[] = [];
    fields.forEach((list, field) => {
      for (const word of list) {
        const before = counts[word] as number;
        if (before === 0) own.push(word);
        counts[word] = countOneMore(before, field);
      }
      this.#lengths.push(list.length);
    });
    for (let field: number = ANCHORS; field < FIELD_COUNT; field++) this.#lengths.push(0);
    this.#ownWords.varint(own.length);
    for (const word of own) {
      writeEntry(this.#ownWords, word, counts[word] as number);
      counts[word] = 0;
    }
    const sequenceStart = this.#sequences.length;
    writeSequence(this.#sequences, sequence);
    writeMentions(this.#anchors, { anchors, others });
    this.#sequenceLengths.push(this.#sequences.length - sequenceStart);
  }

  /** The skills since the last call. */
  take(): BuiltSkills {
    const built = {
      ownWords: this.#ownWords.written().slice(),
      sequences: this.#sequences.written().slice(),
      anchors: this.#anchors.written().slice(),
      sequenceLengths: this.#sequenceLengths,
      lengths: this.#lengths,
      besides: this.#besides,
    };
    for (const writer of [this.#ownWords, this.#sequences, this.#anchors]) writer.clear();
    this.#sequenceLengths = [];
    this.#lengths = [];
    this.#besides = [];
    return built;
  }
}
