import type { TextLines } from "./text-lines.ts";

export interface NumberedLines {
  readonly left: Uint32Array;
  readonly right: Uint32Array;
  /** How many different lines there are; numbers are below it. */
  readonly distinct: number;
}

/** Gives each different line a number, the same on both sides: from here on lines are compared as numbers. */
export function numberLines(left: TextLines, right: TextLines): NumberedLines {
  const all = left.count + right.count;
  // A table of half empty places: the line that came first with a hash, from 1 on, left before right.
  const mask = 2 ** Math.ceil(Math.log2(Math.max(16, all * 2))) - 1;
  const table = new Uint32Array(mask + 1);
  const numbers = new Uint32Array(all);
  let distinct = 0;
  for (let line = 0; line < all; line++) {
    const isLeft = line < left.count;
    const [text, index] = isLeft ? [left, line] : [right, line - left.count];
    let place = hashOf(text, index) & mask;
    for (;;) {
      const first = (table[place] ?? 0) - 1;
      if (first === -1) {
        table[place] = line + 1;
        numbers[line] = distinct++;
        break;
      }
      const same =
        first < left.count ? text.isSame(index, left, first) : text.isSame(index, right, first - left.count);
      if (same) {
        numbers[line] = numbers[first] ?? 0;
        break;
      }
      place = (place + 1) & mask;
    }
  }
  return { left: numbers.subarray(0, left.count), right: numbers.subarray(left.count), distinct };
}

/** FNV-1a, with its bits mixed at the end because only some of them are used. */
function hashOf({ bytes, starts }: TextLines, index: number): number {
  const end = starts[index + 1] ?? 0;
  let hash = 0x811c9dc5;
  for (let at = starts[index] ?? 0; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
