import { ByteWriter } from "../../shared/stored/byte-writer.ts";
import { writeAnchors } from "../index/anchors.ts";
import { writeEntry } from "../index/postings.ts";
import { writeSequence } from "../index/sequences.ts";
import { ANCHORS, countOneMore, FIELD_COUNT } from "../text/field-counts.ts";
import { type SkillText, skillWords } from "../text/skill-words.ts";
import { WordReader } from "../text/word-reader.ts";

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
  readonly anchorLengths: number[] = [];
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
    const [sequenceStart, anchorStart] = [this.sequences.length, this.anchors.length];
    writeSequence(this.sequences, sequence);
    writeAnchors(this.anchors, anchors);
    this.sequenceLengths.push(this.sequences.length - sequenceStart);
    this.anchorLengths.push(this.anchors.length - anchorStart);
  }
}
