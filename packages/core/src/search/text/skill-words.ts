import { type Anchor, Anchors, namesIn } from "./anchor.ts";
import { BESIDE, BODY, DESCRIPTION, HEADINGS } from "./field-counts.ts";
import { readLines, readSentences } from "./read-lines.ts";
import type { WordReader } from "./word-reader.ts";

/** The words of one skill, by number. */
export interface SkillWords {
  /** By field, without anchors, which other skills provide. */
  readonly fields: readonly [
    name: number[],
    description: number[],
    headings: number[],
    body: number[],
    beside: number[],
  ];
  /** In order, with marks in between; only the start of the body. */
  readonly sequence: readonly number[];
  /** Sentences with the name of a skill, which may be about it. */
  readonly anchors: readonly Anchor[];
  /** Other names in sentences, as marks: no skill has them now. */
  readonly others: readonly number[];
}

/** Marks in a sequence of words; negative, unlike word numbers. */
export const BREAK = -1;
export const DESCRIPTION_BEGINS = -2;
export const BODY_BEGINS = -3;
export const OPEN = -4;
export const CLOSE = -5;

/** A longer body is data; its subject is clear by then. */
const MAX_BODY = 64 * 1024;
/** Maximum number of body words to keep in order, including common ones. */
const MAX_SEQUENCE = 1_500;

const SENTENCES = /(?<=[.!?;])\s+|\n+|[。！？；]/;
/** Text between two of these is quoted: descriptions quote what a user would say. */
const QUOTES = /["“”「」『』`]|(?<![\p{L}\p{N}])['‘]|['’](?![\p{L}\p{N}])/u;

/** The input of `skillWords`. */
export interface SkillText {
  readonly name: string;
  readonly folder: string;
  readonly description: string;
  readonly body: string;
  /** From the Markdown files in the same folder. */
  readonly beside: string;
}

/** `names`: the names of all skills, as marks. */
export function skillWords(text: SkillText, reader: WordReader, names: ReadonlySet<number>): SkillWords {
  const both: number[] = [];
  reader.read(text.name, both);
  reader.read(text.folder, both);
  // Authors also call a skill by its folder; a word in both counts once.
  const name = [...new Set(both)];
  const fields: SkillWords["fields"] = [name, [], [], [], []];
  const sequence: number[] = [...name, DESCRIPTION_BEGINS];
  const anchors = new Anchors(names);
  const description = fields[DESCRIPTION];
  for (const sentence of text.description.split(SENTENCES)) {
    const before = description.length;
    sentence.split(QUOTES).forEach((part, i) => {
      const from = description.length;
      reader.read(part, description);
      if (i % 2 === 1) sequence.push(OPEN);
      for (let at = from; at < description.length; at++) sequence.push(description[at] as number);
      if (i % 2 === 1) sequence.push(CLOSE);
    });
    sequence.push(BREAK);
    reader.load(sentence);
    anchors.take(namesIn(reader.units, 0, sentence.length), description, before);
  }
  sequence.push(BODY_BEGINS);
  let room = MAX_SEQUENCE;
  readLines(text.body.slice(0, MAX_BODY), reader, (start, end, isHeading) => {
    const field = fields[isHeading ? HEADINGS : BODY];
    const lineStart = field.length;
    readSentences(reader, start, end, field, anchors);
    const last = Math.min(field.length, lineStart + room);
    for (let at = lineStart; at < last; at++) sequence.push(field[at] as number);
    room -= last - lineStart;
    if (room > 0 && field.length > lineStart) sequence.push(BREAK);
  });
  sequence.push(BREAK);
  reader.read(text.beside, fields[BESIDE]);
  return { fields, sequence, anchors: anchors.found, others: [...anchors.others] };
}
