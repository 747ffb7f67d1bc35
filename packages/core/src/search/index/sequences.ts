import { BODY_BEGINS, BREAK } from "../text/skill-words.ts";
import type { SkillEntry } from "./skill-entry.ts";

/**
 * The words of all skills in order, two bytes each. Rare words share codes, so a search confuses two of them about once in a
 * thousand skills.
 */
export interface Sequences {
  /** Word codes, and marks, which count down from the highest code. */
  readonly items: Uint16Array;
  /** Where the words of a skill begin; has one element more than there are skills. */
  readonly starts: Uint32Array;
  /** By word. */
  readonly codes: Uint16Array;
  /** By code: how many skills have the word, or one of those that share the code. */
  readonly having: Uint32Array;
  /** Words that more skills have are omitted, so "notes for a release" and "release notes" have the same neighbours. */
  readonly mostSkills: number;
  /** Length of the longest sequence. */
  readonly longest: number;
}

/** This many words of a body, without common ones, say what it is about. */
const MAX_BODY = 1_000;
export const CODES = 0x1_0000;
export const MARKS = 8;
/** Number of words with their own code; the rest share the remaining codes. */
const OWN_CODES = 60_000;

export function cutSequences(
  entries: readonly SkillEntry[],
  words: ReadonlyMap<string, number>,
  wordStarts: Uint32Array,
  size: number,
): Sequences {
  const mostSkills = size / 2;
  const { codes, having } = giveCodes(words, wordStarts);
  const starts = new Uint32Array(entries.length + 1);
  const items = new Uint16Array(entries.reduce((sum, { sequence }) => sum + sequence.length + 1, 0));
  let longest = 0;
  let end = 0;
  entries.forEach(({ sequence }, skill) => {
    let room = Number.POSITIVE_INFINITY;
    let before = 0;
    for (let i = 0; i < sequence.length; i++) {
      const item = sequence[i] as number;
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
    starts[skill + 1] = end;
    longest = Math.max(longest, end - (starts[skill] as number));
  });
  return { items: items.slice(0, end), starts, codes, having, mostSkills, longest };
}

/** Which words share a code depends only on the words, not on their numbering. */
function giveCodes(
  words: ReadonlyMap<string, number>,
  wordStarts: Uint32Array,
): Pick<Sequences, "codes" | "having"> {
  const least = leastOfOwn(wordStarts);
  const codes = new Uint16Array(words.size);
  const having = new Uint32Array(CODES);
  let next = 0;
  for (const [text, word] of words) {
    const count = (wordStarts[word + 1] as number) - (wordStarts[word] as number);
    const code = count >= least ? next++ : sharedCode(text);
    codes[word] = code;
    having[code] = Math.max(having[code] as number, count);
  }
  return { codes, having };
}

/** How many skills must have a word for it to get its own code. */
function leastOfOwn(wordStarts: Uint32Array): number {
  const wordsByCount = new Map<number, number>();
  for (let word = 0; word + 1 < wordStarts.length; word++) {
    const count = (wordStarts[word + 1] as number) - (wordStarts[word] as number);
    wordsByCount.set(count, (wordsByCount.get(count) ?? 0) + 1);
  }
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
