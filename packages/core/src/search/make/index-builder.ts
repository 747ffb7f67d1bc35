import { ByteReader, ByteWriter } from "../../shared/stored/byte-writer.ts";
import { SayingsReader, writeAnchors } from "../index/anchors.ts";
import { OwnWords, writeEntry } from "../index/postings.ts";
import { MARKS, writeSequence } from "../index/sequences.ts";
import { ANCHORS, countOneMore, FIELD_COUNT } from "../text/field-counts.ts";
import { type SkillText, skillWords } from "../text/skill-words.ts";
import { WordReader } from "../text/word-reader.ts";

/** The skills of a builder, by its own numbers of words. */
export interface BuiltSkills {
  readonly words: readonly string[];
  readonly ownWords: Uint8Array;
  readonly sequences: Uint8Array;
  readonly anchors: Uint8Array;
  readonly sequenceLengths: readonly number[];
  readonly lengths: readonly number[];
}

/** Reads the texts of skills into a few large byte arrays: 100,000 skills as objects would not fit into memory. */
export class IndexBuilder {
  readonly #reader: WordReader;
  /** By word: its counts in the current skill, zero between skills. */
  #counts = new Uint16Array(1 << 12);
  readonly ownWords = new ByteWriter();
  readonly sequences = new ByteWriter();
  readonly anchors = new ByteWriter();
  /** By skill, in the order in which they were added. */
  readonly sequenceLengths: number[] = [];
  readonly lengths: number[] = [];

  /** Begins with the words of an earlier index, so that unchanged skills keep their numbers. */
  constructor(words: Iterable<string> = []) {
    this.#reader = new WordReader(words);
  }

  get words(): ReadonlyMap<string, number> {
    return this.#reader.words;
  }

  add(text: SkillText): void {
    const { fields, sequence, anchors } = skillWords(text, this.#reader);
    if (this.#counts.length < this.words.size) this.#counts = new Uint16Array(2 * this.words.size);
    const counts = this.#counts;
    const own: number[] = [];
    fields.forEach((list, field) => {
      for (const word of list) {
        const before = counts[word] as number;
        if (before === 0) own.push(word);
        counts[word] = countOneMore(before, field);
      }
      this.lengths.push(list.length);
    });
    for (let field: number = ANCHORS; field < FIELD_COUNT; field++) this.lengths.push(0);
    this.ownWords.varint(own.length);
    for (const word of own) {
      writeEntry(this.ownWords, word, counts[word] as number);
      counts[word] = 0;
    }
    const sequenceStart = this.sequences.length;
    writeSequence(this.sequences, sequence);
    writeAnchors(this.anchors, anchors);
    this.sequenceLengths.push(this.sequences.length - sequenceStart);
  }

  /** All of it, for another builder. */
  built(): BuiltSkills {
    return {
      words: [...this.words.keys()],
      ownWords: this.ownWords.written().slice(),
      sequences: this.sequences.written().slice(),
      anchors: this.anchors.written().slice(),
      sequenceLengths: this.sequenceLengths,
      lengths: this.lengths,
    };
  }

  /** Adds the skills of another builder, which numbered its words by itself. */
  addBuilt(built: BuiltSkills): void {
    const numbers = Uint32Array.from(built.words, (word) => this.#reader.numberOf(word));
    const numberOf = (word: number): number => numbers[word] as number;
    const own = new OwnWords(built.ownWords);
    const sayings = new SayingsReader(built.anchors);
    const sequences = new ByteReader(built.sequences);
    let end = 0;
    for (const length of built.sequenceLengths) {
      const entries: [word: number, count: number][] = [];
      own.next((word, count) => entries.push([numberOf(word), count]));
      this.ownWords.varint(entries.length);
      for (const [word, count] of entries) writeEntry(this.ownWords, word, count);
      const { anchors } = sayings.next();
      writeAnchors(
        this.anchors,
        anchors.map(({ names, words }) => ({ names, words: words.map(numberOf) })),
      );
      const start = this.sequences.length;
      end += length;
      while (sequences.at < end) {
        const item = sequences.varint();
        this.sequences.varint(item < MARKS ? item : numberOf(item - MARKS) + MARKS);
      }
      this.sequenceLengths.push(this.sequences.length - start);
    }
    for (const length of built.lengths) this.lengths.push(length);
  }
}
