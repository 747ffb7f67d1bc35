import { ByteWriter } from "../../shared/stored/byte-writer.ts";
import { writeSayings } from "../index/anchors.ts";
import { writeEntry } from "../index/postings.ts";
import { writeSequence } from "../index/sequences.ts";
import { ANCHORS, countOneMore, FIELD_COUNT } from "../text/field-counts.ts";
import { type SkillText, skillWords } from "../text/skill-words.ts";
import { WordReader } from "../text/word-reader.ts";
import type { Beside } from "./beside.ts";
import type { BuiltSkills } from "./built-skills.ts";

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
    writeSayings(this.#anchors, { anchors, others });
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
