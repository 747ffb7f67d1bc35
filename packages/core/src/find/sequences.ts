import { BODY_BEGINS, BREAK } from "./skill-words.ts";
import type { SkillEntry } from "./text-index.ts";

/** The words of all skills in their order, without those that hold nothing together. */
export interface Sequences {
  readonly items: Int32Array;
  /** Where the words of a skill begin; one more than there are skills. */
  readonly starts: Uint32Array;
  /** A word that more skills have is left out: "notes for a release" and "release notes" have the same neighbours. */
  readonly mostSkills: number;
  /** How many items the longest has. */
  readonly longest: number;
}

/** So many words of a body, common ones left out, say what it is about. */
const MAX_BODY = 1_000;

export function cutSequences(entries: readonly SkillEntry[], wordStarts: Uint32Array): Sequences {
  const mostSkills = Math.max(20, entries.length / 2);
  const starts = new Uint32Array(entries.length + 1);
  const room = entries.reduce((sum, { sequence }) => sum + sequence.length + 1, 0);
  const items = new Int32Array(room);
  let longest = 0;
  let end = 0;
  entries.forEach(({ sequence }, skill) => {
    let left = Number.POSITIVE_INFINITY;
    let before = 0;
    for (const item of sequence) {
      if (item < 0) {
        if (item === BREAK && before === BREAK) continue;
        if (item === BODY_BEGINS) left = MAX_BODY;
      } else {
        const having = (wordStarts[item + 1] ?? 0) - (wordStarts[item] ?? 0);
        if (having > mostSkills) continue;
        if (left-- <= 0) {
          items[end++] = BREAK;
          break;
        }
      }
      before = item;
      items[end++] = item;
    }
    starts[skill + 1] = end;
    longest = Math.max(longest, end - (starts[skill] ?? 0));
  });
  return { items: items.slice(0, end), starts, mostSkills, longest };
}
