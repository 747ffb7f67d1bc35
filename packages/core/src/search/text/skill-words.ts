import { MarkdownLines } from "../../skill/markdown.ts";
import { WordReader } from "./word-reader.ts";

/** A sentence that looks like a reference to other skills. The catalog decides whether those skills exist. */
interface Anchor {
  /** Hashes of the names it may mean. */
  readonly names: readonly number[];
  readonly words: readonly number[];
}

/** The sentences of a skill that name others. */
class Anchors {
  readonly found: Anchor[] = [];
  /** Names that no skill has. */
  readonly others = new Set<number>();
  readonly #names: ReadonlySet<number>;

  /** `names`: the names of all skills, as marks. */
  constructor(names: ReadonlySet<number>) {
    this.#names = names;
  }

  /** Takes a sentence with these names and with the words from a place on. */
  take(names: readonly number[], words: readonly number[], from: number): void {
    for (const name of names)
      if (this.#names.has(name)) {
        this.found.push({ names, words: words.slice(from) });
        return;
      }
    for (const name of names) this.others.add(name);
  }
}

/** A longer text is not a sentence about a skill. */
const MAX_SENTENCE = 600;
const HYPHEN = 0x2d;
const SLASH = 0x2f;
const BACKTICK = 0x60;
const ASTERISK = 0x2a;

/**
 * The names in a sentence as marks, without duplicates: a name with hyphens, or one word in backticks, asterisks or after a slash,
 * as in `release-notes`, **review**, /plan. By hand, because a pattern takes ten times as long.
 */
export function namesIn(units: Uint16Array, from: number, end: number): number[] {
  const names: number[] = [];
  if (end - from > MAX_SENTENCE) return names;
  for (let at = from; at < end; at++) {
    if (!isNameUnit(units[at] as number)) continue;
    const start = at;
    at = runEnd(units, at, end);
    const before = start > from ? (units[start - 1] as number) : 0;
    if (before === HYPHEN) continue;
    const runLength = at - start;
    let isName = false;
    while (at + 1 < end && units[at] === HYPHEN && isNameUnit(units[at + 1] as number)) {
      at = runEnd(units, at + 1, end);
      isName = true;
    }
    const after = at < end ? (units[at] as number) : 0;
    isName ||= runLength >= 3 && (isQuote(before) || before === SLASH) && isQuote(after);
    if (!isName) continue;
    const mark = markOf(units, start, at);
    if (!names.includes(mark)) names.push(mark);
  }
  return names;
}

function runEnd(units: Uint16Array, from: number, end: number): number {
  let at = from;
  while (at < end && isNameUnit(units[at] as number)) at++;
  return at;
}

function isNameUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

function isQuote(unit: number): boolean {
  return unit === BACKTICK || unit === ASTERISK;
}

function markOf(units: Uint16Array, from: number, end: number): number {
  let mark = FIRST_MARK;
  for (let i = from; i < end; i++) mark = nextMark(mark, units[i] as number);
  return mark >>> 0;
}

/** Names are stored as numbers: nearly all of them are not skill names. */
export function nameMark(name: string): number {
  let mark = FIRST_MARK;
  for (let i = 0; i < name.length; i++) mark = nextMark(mark, name.charCodeAt(i));
  return mark >>> 0;
}

const FIRST_MARK = 0x811c9dc5;
const nextMark = (mark: number, unit: number): number => Math.imul(mark ^ unit, 0x01000193);

/**
 * The fields of a skill. Beside are the Markdown files in its folder; anchors are what other skills in the same folder say about
 * this one.
 */
export const FIELD_COUNT = 6;
// 0 is the name.
export const DESCRIPTION = 1;
export const HEADINGS = 2;
export const BODY = 3;
export const BESIDE = 4;
export const ANCHORS = 5;

/** How often a skill has a word, by field, in sixteen bits; the highest count of a field means "or more". */
const SHIFT = [0, 1, 4, 7, 11, 13] as const;
const MOST = [1, 7, 7, 15, 3, 7] as const;
/** The bits of a count for name and description. */
export const IN_NAME_OR_DESCRIPTION = 0b1111;
/** The same for all of the `SKILL.md`. */
export const IN_OWN_TEXT = 0b111_1111_1111;

/** The counts in the body and beside it as one number of six bits. */
export function countInText(packed: number): number {
  return (packed >>> SHIFT[BODY]) & 0b11_1111;
}

export function countIn(packed: number, field: number): number {
  return (packed >>> (SHIFT[field] as number)) & (MOST[field] as number);
}

/** The counts with one added in a field. */
export function countOneMore(packed: number, field: number): number {
  return countIn(packed, field) < (MOST[field] as number) ? packed + (1 << (SHIFT[field] as number)) : packed;
}

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
 * code fences, where `#` can be a comment.
 */
function readLines(
  body: string,
  reader: WordReader,
  take: (start: number, end: number, isHeading: boolean) => void,
): void {
  reader.load(body);
  const { units } = reader;
  const markdown = /```|~~~/.test(body) ? new MarkdownLines() : undefined;
  const { length } = body;
  for (let start = 0; start <= length; ) {
    const newline = body.indexOf("\n", start);
    const last = newline < 0 ? length : newline;
    const end = last > start && units[last - 1] === RETURN ? last - 1 : last;
    const line = body.slice(start, end);
    const heading = markdown?.isCode(line) ? null : HEADING.exec(line);
    take(heading ? end - (heading[1] ?? "").length : start, end, heading !== null);
    start = last + 1;
  }
}

/** Reads a line sentence by sentence: a line is one stretch, but its sentences may be about different skills. */
function readSentences(
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

/** The words of one skill, by number. */
export interface SkillWords {
  /** How many there are by field, without anchors, which other skills provide. */
  readonly lengths: readonly number[];
  /** Each word once, and how often the skill has it, by field. */
  readonly words: Uint32Array;
  readonly counts: Uint16Array;
  /** In order, with marks in between; only the start of the body. */
  readonly sequence: Int32Array;
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

interface SkillText {
  readonly name: string;
  readonly folder: string;
  readonly description: string;
  readonly body: string;
  /** From the Markdown files in the same folder. */
  readonly beside: string;
}

/** Reads the texts of skills and numbers their words. */
export class SkillReader {
  readonly #words: WordReader;
  readonly #names: ReadonlySet<number>;
  /** By word: its counts in the current skill, zero between skills. */
  #counts = new Uint16Array(1 << 12);

  /**
   * Begins with the words of an earlier index, so that unchanged skills keep their numbers. `names`: the names of all skills, as
   * marks.
   */
  constructor(names: ReadonlySet<number>, words: Iterable<string> = []) {
    this.#names = names;
    this.#words = new WordReader(words);
  }

  get words(): ReadonlyMap<string, number> {
    return this.#words.words;
  }

  numberOf(word: string): number {
    return this.#words.numberOf(word);
  }

  read(text: SkillText): SkillWords {
    const reader = this.#words;
    const both: number[] = [];
    reader.read(text.name, both);
    reader.read(text.folder, both);
    // Authors also call a skill by its folder; a word in both counts once.
    const name = [...new Set(both)];
    const description: number[] = [];
    const headings: number[] = [];
    const body: number[] = [];
    const beside: number[] = [];
    const sequence: number[] = [...name, DESCRIPTION_BEGINS];
    const anchors = new Anchors(this.#names);
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
      const field = isHeading ? headings : body;
      const lineStart = field.length;
      readSentences(reader, start, end, field, anchors);
      const last = Math.min(field.length, lineStart + room);
      for (let at = lineStart; at < last; at++) sequence.push(field[at] as number);
      room -= last - lineStart;
      if (room > 0 && field.length > lineStart) sequence.push(BREAK);
    });
    sequence.push(BREAK);
    reader.read(text.beside, beside);
    const fields = [name, description, headings, body, beside];
    return {
      lengths: fields.map(({ length }) => length),
      ...this.#count(fields),
      sequence: Int32Array.from(sequence),
      anchors: anchors.found,
      others: [...anchors.others],
    };
  }

  #count(fields: readonly (readonly number[])[]): Pick<SkillWords, "words" | "counts"> {
    if (this.#counts.length < this.words.size) this.#counts = new Uint16Array(2 * this.words.size);
    const counts = this.#counts;
    const words: number[] = [];
    fields.forEach((list, field) => {
      for (const word of list) {
        const before = counts[word] as number;
        if (before === 0) words.push(word);
        counts[word] = countOneMore(before, field);
      }
    });
    const own = Uint16Array.from(words, (word) => counts[word] as number);
    for (const word of words) counts[word] = 0;
    return { words: Uint32Array.from(words), counts: own };
  }
}
