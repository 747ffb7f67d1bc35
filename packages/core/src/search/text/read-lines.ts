import { FenceReader } from "../../skill/markdown-fences.ts";
import { type Anchors, isNameMark, namesIn } from "./anchor.ts";
import type { WordReader } from "./word-reader.ts";

const HASH = 0x23;
const STOP = 0x2e;
const SEMICOLON = 0x3b;
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
    const end = newline < 0 ? length : newline;
    let first = start;
    while (first < end && isBlank(units[first] as number)) first++;
    const unit = first < end ? (units[first] as number) : 0;
    const isCode = fences.isCodeBy(unit, first - start) ?? fences.isCode(body.slice(start, end));
    const heading = unit === HASH && !isCode ? HEADING.exec(body.slice(start, end)) : null;
    take(heading ? end - (heading[1] ?? "").length : start, end, heading !== null);
    start = end + 1;
  }
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09;

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
    const unit = at < end ? (units[at] as number) : STOP;
    if (isNameMark(unit)) mayHaveNames = true;
    if (unit !== STOP && unit !== SEMICOLON) continue;
    if (at + 1 < end && !isSpace(units[at + 1] as number)) continue;
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
