import { FenceReader } from "../../skill/markdown-fences.ts";
import { type Anchor, anchorOf } from "./anchor.ts";
import { BODY, DESCRIPTION, HEADINGS } from "./field-counts.ts";
import { tokenize } from "./tokenize.ts";

/** The words of one skill, by number. */
export interface SkillWords {
  /** By field, without anchors, which other skills provide. */
  readonly fields: readonly [name: number[], description: number[], headings: number[], body: number[]];
  /** In order, with marks in between; only the start of the body. */
  readonly sequence: readonly number[];
  /** Sentences that may be about other skills. */
  readonly anchors: readonly Anchor[];
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
/** A line of a body is one stretch, but its sentences may be about different skills. */
const LINE_SENTENCES = /(?<=[.;])\s+/;
/** Text between two of these is quoted: descriptions quote what a user would say. */
const QUOTES = /["“”「」『』`]|(?<![\p{L}\p{N}])['‘]|['’](?![\p{L}\p{N}])/u;

/** The input of `skillWords`, and its numbering of words. */
export interface SkillText {
  readonly name: string;
  readonly folder: string;
  readonly description: string;
  readonly body: string;
}

export function skillWords(text: SkillText, numberOf: (word: string) => number): SkillWords {
  const read = (part: string): number[] => tokenize(part).map(numberOf);
  // Authors also call a skill by its folder; a word in both counts once.
  const name = [...new Set([...read(text.name), ...read(text.folder)])];
  const fields: SkillWords["fields"] = [name, [], [], []];
  const sequence: number[] = [...name, DESCRIPTION_BEGINS];
  const anchors: Anchor[] = [];
  for (const sentence of text.description.split(SENTENCES)) {
    const before = fields[DESCRIPTION].length;
    sentence.split(QUOTES).forEach((part, i) => {
      const words = read(part);
      for (const word of words) fields[DESCRIPTION].push(word);
      if (i % 2 === 1) sequence.push(OPEN, ...words, CLOSE);
      else sequence.push(...words);
    });
    sequence.push(BREAK);
    const anchor = anchorOf(sentence, fields[DESCRIPTION].slice(before));
    if (anchor) anchors.push(anchor);
  }
  sequence.push(BODY_BEGINS);
  let room = MAX_SEQUENCE;
  for (const { line, isHeading } of linesOf(text.body.slice(0, MAX_BODY))) {
    const field = fields[isHeading ? HEADINGS : BODY];
    const before = field.length;
    for (const sentence of line.split(LINE_SENTENCES)) {
      const found = read(sentence);
      for (const word of found) {
        field.push(word);
        if (room-- > 0) sequence.push(word);
      }
      const anchor = anchorOf(sentence, found);
      if (anchor) anchors.push(anchor);
    }
    if (room > 0 && field.length > before) sequence.push(BREAK);
  }
  sequence.push(BREAK);
  return { fields, sequence, anchors };
}

/** Lines that begin with `#` are headings, except in code fences, where `#` can be a comment. */
function* linesOf(body: string): Generator<{ line: string; isHeading: boolean }> {
  const fences = new FenceReader();
  for (const line of body.split("\n")) {
    const heading = fences.isCode(line) ? null : /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line);
    yield { line: heading?.[1] ?? line, isHeading: heading !== null };
  }
}
