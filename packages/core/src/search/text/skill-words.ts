import { FenceReader } from "../../skill/markdown-fences.ts";
import { type Anchor, anchorOf } from "./anchor.ts";
import { BODY, DESCRIPTION, HEADINGS } from "./field-counts.ts";
import type { WordReader } from "./word-reader.ts";

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
const STOP = /[.;]/;
/** Text between two of these is quoted: descriptions quote what a user would say. */
const QUOTES = /["“”「」『』`]|(?<![\p{L}\p{N}])['‘]|['’](?![\p{L}\p{N}])/u;

/** The input of `skillWords`. */
export interface SkillText {
  readonly name: string;
  readonly folder: string;
  readonly description: string;
  readonly body: string;
}

export function skillWords(text: SkillText, reader: WordReader): SkillWords {
  const both: number[] = [];
  reader.read(text.name, both);
  reader.read(text.folder, both);
  // Authors also call a skill by its folder; a word in both counts once.
  const name = [...new Set(both)];
  const fields: SkillWords["fields"] = [name, [], [], []];
  const sequence: number[] = [...name, DESCRIPTION_BEGINS];
  const anchors: Anchor[] = [];
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
    const anchor = anchorOf(sentence, description, before);
    if (anchor) anchors.push(anchor);
  }
  sequence.push(BODY_BEGINS);
  let room = MAX_SEQUENCE;
  for (const { line, isHeading } of linesOf(text.body.slice(0, MAX_BODY))) {
    const field = fields[isHeading ? HEADINGS : BODY];
    const lineStart = field.length;
    for (const sentence of STOP.test(line) ? line.split(LINE_SENTENCES) : [line]) {
      const before = field.length;
      reader.read(sentence, field);
      for (let at = before; at < field.length && room > 0; at++, room--) sequence.push(field[at] as number);
      const anchor = anchorOf(sentence, field, before);
      if (anchor) anchors.push(anchor);
    }
    if (room > 0 && field.length > lineStart) sequence.push(BREAK);
  }
  sequence.push(BREAK);
  return { fields, sequence, anchors };
}

/** Lines that begin with `#` are headings, except in code fences, where `#` can be a comment. */
function* linesOf(body: string): Generator<{ line: string; isHeading: boolean }> {
  const fences = new FenceReader();
  for (const line of body.split("\n")) {
    const isText = !fences.isCode(line);
    const heading = isText && line.includes("#") ? /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line) : null;
    yield { line: heading?.[1] ?? line, isHeading: heading !== null };
  }
}
