import type { ByteWriter } from "../../shared/stored/byte-writer.ts";
import type { Part } from "../../shared/stored/parts-file.ts";
import { BODY_BEGINS, BREAK } from "../text/skill-words.ts";
import { BoundedCache } from "./bounded-cache.ts";

/** This many words of a body, without common ones, say what it is about. */
const MAX_BODY = 1_000;
export const CODES = 0x1_0000;
export const MARKS = 8;
/** Number of words with their own code; the rest share the remaining codes. */
const OWN_CODES = 60_000;
/** Bytes of decoded sequences to keep. */
const MAX_KEPT = 128e6;

/** Words by number, and marks, which are negative. */
export function writeSequence(writer: ByteWriter, sequence: readonly number[]): void {
  for (const item of sequence) writer.varint(item + MARKS);
}

export interface SequenceParts {
  readonly bytes: Part;
  /** Where the bytes of a skill begin; has one element more than there are skills. */
  readonly starts: Uint32Array;
  /** By word. */
  readonly codes: Uint16Array;
  readonly wordStarts: Uint32Array;
  /** Smoothed number of skills. */
  readonly size: number;
}

/**
 * The words of the skills in order, two bytes each. Rare words share codes, so a search confuses two of them about once in a
 * thousand skills.
 */
export class Sequences {
  /** By word. */
  readonly codes: Uint16Array;
  /** Words that more skills have are omitted, so "notes for a release" and "release notes" have the same neighbours. */
  readonly mostSkills: number;
  /** No sequence is longer. */
  readonly longest: number;
  readonly #parts: SequenceParts;
  readonly #decoded = new BoundedCache<Uint16Array>(MAX_KEPT);

  constructor(parts: SequenceParts) {
    this.#parts = parts;
    this.codes = parts.codes;
    this.mostSkills = parts.size / 2;
    let longest = 0;
    for (let skill = 0; skill + 1 < parts.starts.length; skill++)
      longest = Math.max(longest, (parts.starts[skill + 1] as number) - (parts.starts[skill] as number));
    this.longest = longest;
  }

  /** Word codes, and marks, which count down from the highest code. */
  of(skill: number): Uint16Array {
    const known = this.#decoded.get(skill);
    if (known) return known;
    const decoded = this.#decode(skill);
    this.#decoded.set(skill, decoded, decoded.byteLength);
    return decoded;
  }

  #decode(skill: number): Uint16Array {
    const { starts, codes, wordStarts } = this.#parts;
    const from = starts[skill] as number;
    const bytes = this.#parts.bytes.read(from, (starts[skill + 1] as number) - from);
    const items = new Uint16Array(bytes.length + 1);
    const { mostSkills } = this;
    let room = Number.POSITIVE_INFINITY;
    let before = 0;
    let end = 0;
    for (let at = 0; at < bytes.length; ) {
      let byte = bytes[at++] as number;
      let value = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++] as number;
        value |= (byte & 0x7f) << shift;
      }
      const item = value - MARKS;
      if (item < 0) {
        if (item === BREAK && before === BREAK) continue;
        if (item === BODY_BEGINS) room = MAX_BODY;
        items[end++] = CODES + item;
      } else {
        if ((wordStarts[item + 1] as number) - (wordStarts[item] as number) > mostSkills) continue;
        if (room-- <= 0) {
          items[end++] = CODES + BREAK;
          break;
        }
        items[end++] = codes[item] as number;
      }
      before = item;
    }
    return items.slice(0, end);
  }
}

/** Which words share a code depends only on the words, not on their numbering. */
export function giveCodes(words: Iterable<string>, having: Uint32Array): Uint16Array {
  const least = leastOfOwn(having);
  const codes = new Uint16Array(having.length);
  let next = 0;
  let word = 0;
  for (const text of words) {
    codes[word] = (having[word] as number) >= least ? next++ : sharedCode(text);
    word++;
  }
  return codes;
}

/** How many skills must have a word for it to get its own code. */
function leastOfOwn(having: Uint32Array): number {
  const wordsByCount = new Map<number, number>();
  for (const count of having) wordsByCount.set(count, (wordsByCount.get(count) ?? 0) + 1);
  let room = OWN_CODES;
  let least = Number.POSITIVE_INFINITY;
  for (const [count, size] of [...wordsByCount].sort(([a], [b]) => b - a)) {
    room -= size;
    if (room < 0) break;
    least = count;
  }
  return least;
}

function sharedCode(text: string): number {
  let mark = 0;
  for (let i = 0; i < text.length; i++) mark = (Math.imul(mark, 31) + text.charCodeAt(i)) >>> 0;
  return OWN_CODES + (mark % (CODES - MARKS - OWN_CODES));
}
