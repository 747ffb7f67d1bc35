import type { ByteWriter } from "../../shared/stored/byte-writer.ts";
import { ByteReader } from "../../shared/stored/byte-writer.ts";
import { BODY, countInText, countOneMore } from "../text/field-counts.ts";

/** The skills that have a word, in order, and its occurrences by field, packed. */
export interface Entries {
  readonly skills: Uint32Array;
  readonly counts: Uint16Array;
}

/** The entries of all words, as they are stored. */
export interface Postings {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** By word: how many bytes, and how many skills. */
  readonly byteLengths: Uint32Array;
  readonly having: Uint32Array;
}

/**
 * How counts are stored. Two in three words are in a body once or twice and nowhere else; those take no byte of their own, and
 * other counts in the body and the files beside it take one.
 */
const ONCE = 0;
const TWICE = 1;
const IN_TEXT = 2;
const OTHER = 3;
const BODY_ONCE = countOneMore(0, BODY);

/** The first number of an entry: the gap, and how its count is stored. */
function firstNumber(gap: number, count: number): number {
  const inText = countInText(count);
  if (count !== inText * BODY_ONCE) return gap * 4 + OTHER;
  return gap * 4 + (inText > 2 ? IN_TEXT : inText === 1 ? ONCE : TWICE);
}

export function writeEntry(writer: ByteWriter, gap: number, count: number): void {
  const first = firstNumber(gap, count);
  writer.varint(first);
  const kind = first & 3;
  if (kind === IN_TEXT) writer.byte(countInText(count));
  if (kind !== OTHER) return;
  writer.byte(count & 0xff);
  writer.byte(count >>> 8);
}

/** The same at a place. Answers where the entry ends. */
export function writeEntryAt(bytes: Uint8Array, from: number, gap: number, count: number): number {
  let at = from;
  let rest = firstNumber(gap, count);
  const kind = rest & 3;
  for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
  bytes[at++] = rest;
  if (kind === IN_TEXT) bytes[at++] = countInText(count);
  if (kind !== OTHER) return at;
  bytes[at++] = count & 0xff;
  bytes[at++] = count >>> 8;
  return at;
}

export function entryLength(gap: number, count: number): number {
  const first = firstNumber(gap, count);
  let length = 1 + bytesAfter(first);
  for (let rest = first >>> 7; rest > 0; rest >>>= 7) length++;
  return length;
}

/** How many bytes an entry has after its first number. */
export function bytesAfter(value: number): number {
  const kind = value & 3;
  return kind < IN_TEXT ? 0 : kind - IN_TEXT + 1;
}

/** Reads this many entries; the opposite of `writeEntry`, with the gap between two skills. */
export function readEntries(bytes: Uint8Array, count: number): Entries {
  const skills = new Uint32Array(count);
  const counts = new Uint16Array(count);
  let at = 0;
  let skill = -1;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++] as number;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 0x7f) << shift;
    }
    skill += (value >>> 2) + 1;
    skills[i] = skill;
    const kind = value & 3;
    if (kind === ONCE) counts[i] = BODY_ONCE;
    else if (kind === TWICE) counts[i] = 2 * BODY_ONCE;
    else if (kind === IN_TEXT) counts[i] = (bytes[at++] as number) * BODY_ONCE;
    else {
      counts[i] = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
      at += 2;
    }
  }
  return { skills, counts };
}

/** The skills' own words in the order of the skills: first how many, then each word with its count. */
export class OwnWords {
  readonly #reader: ByteReader;

  constructor(bytes: Uint8Array) {
    this.#reader = new ByteReader(bytes);
  }

  get isEnd(): boolean {
    return this.#reader.at === this.#reader.bytes.length;
  }

  /** Calls back for each word of the next skill. */
  next(take: (word: number, count: number) => void): void {
    const reader = this.#reader;
    const { bytes } = reader;
    for (let left = reader.varint(); left > 0; left--) {
      const value = reader.varint();
      const kind = value & 3;
      let count = (kind + 1) * BODY_ONCE;
      if (kind === IN_TEXT) count = (bytes[reader.at++] as number) * BODY_ONCE;
      else if (kind === OTHER) {
        count = (bytes[reader.at] as number) | ((bytes[reader.at + 1] as number) << 8);
        reader.at += 2;
      }
      take(value >>> 2, count);
    }
  }
}
