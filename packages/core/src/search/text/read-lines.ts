import { FenceReader } from "../../skill/markdown-fences.ts";
import { type Anchors, isNameUnit, namesIn } from "./anchor.ts";
import type { WordReader } from "./word-reader.ts";

const HASH = 0x23;
const RETURN = 0x0d;
/** By character: what it may be in a line. */
const STOP = 1;
const NAME_MARK = 2;
const KINDS = new Uint8Array(0x80);
for (const mark of ".;") KINDS[mark.charCodeAt(0)] = STOP;
// A name has a hyphen in it or one of the others behind it.
for (const mark of "-`*") KINDS[mark.charCodeAt(0)] = NAME_MARK;
const HEADING = /^ {0,3}#{1,6}[ \t]+(.*)$/;

/**
 * Loads a body into the reader and calls back with each line, as a part of it. Lines that begin with `#` are headings, except in
 * code fences, where `#` can be a comment. Lines are not made into strings: most are read once, as numbers.
 */
export function readLines(
  body: string,
  reader: WordReader,
  take: (start: number, end: number, isHeading: boolean) => void,
): void {
  reader.load(body);
  const { units } = reader;
  const fences = new FenceReader();
  const { length } = body;
  for (let start = 0; start <= length; ) {
    const newline = body.indexOf("\n", start);
    const last = newline < 0 ? length : newline;
    const end = last > start && units[last - 1] === RETURN ? last - 1 : last;
    const isCode = fences.isCodeIn(units, start, end) ?? fences.isCode(body.slice(start, end));
    const heading = !isCode && units[fences.firstAt] === HASH ? HEADING.exec(body.slice(start, end)) : null;
    take(heading ? end - (heading[1] ?? "").length : start, end, heading !== null);
    start = last + 1;
  }
}

/** Reads a line sentence by sentence: a line is one stretch, but its sentences may be about different skills. */
export function readSentences(
  reader: WordReader,
  start: number,
  end: number,
  into: number[],
  anchors: Anchors,
): void {
  const { units } = reader;
  let from = start;
  let mayHaveNames = false;
  for (let at = start; at <= end; at++) {
    if (at < end) {
      const unit = units[at] as number;
      const kind = unit < 0x80 ? (KINDS[unit] as number) : 0;
      if (kind === 0) continue;
      if (kind === NAME_MARK) {
        mayHaveNames ||= at > from && isNameUnit(units[at - 1] as number);
        continue;
      }
      if (at + 1 < end && !isSpace(units[at + 1] as number)) continue;
    }
    const sentenceEnd = Math.min(end, at + 1);
    const before = into.length;
    reader.readPart(from, sentenceEnd, into);
    if (mayHaveNames) anchors.take(namesIn(units, from, sentenceEnd), into, before);
    mayHaveNames = false;
    from = sentenceEnd;
  }
}

/** What `\s` matches. */
function isSpace(unit: number): boolean {
  return unit <= 0x20
    ? unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
    : unit >= 0xa0 && /\s/.test(String.fromCharCode(unit));
}
