import type { ByteWriter } from "../../shared/stored/byte-writer.ts";
import { BODY_BEGINS, BREAK } from "../text/skill-words.ts";

/** This many words of a body, without common ones, say what it is about. */
const MAX_BODY = 1_000;
export const CODES = 0x1_0000;
export const MARKS = 8;
/** Number of words with their own code; the rest share the remaining codes. */
const OWN_CODES = 60_000;

/** Words by number, and marks, which are negative. */
export function writeSequence(writer: ByteWriter, sequence: Int32Array): void {
  for (const item of sequence) writer.varint(item + MARKS);
}

/** Words that a larger share of skills has are left out, so "notes for a release" and "release notes" have the same neighbours. */
export const MOST_SKILLS = 0.5;

/**
 * The words of a skill in order, two bytes each: their codes, and marks, which count down from the highest code. Rare words share
 * codes, so a search confuses two of them about once in a thousand skills. `codes` and `having` are by word.
 */
export function decodeSequence(
  bytes: Uint8Array,
  codes: Uint16Array,
  having: Uint32Array,
  size: number,
): Uint16Array {
  const items = new Uint16Array(bytes.length + 1);
  const mostSkills = size * MOST_SKILLS;
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
      if ((having[item] as number) > mostSkills) continue;
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
