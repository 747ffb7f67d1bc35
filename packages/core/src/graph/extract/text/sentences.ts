import type { FlatText, Mark } from "./flat-text.ts";

/** `text.slice(start, end)` of a passage. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
}

const END = /[.!?](?=["'”’)\]]{0,3}\s)|[。！？]/g;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|vs|etc|cf|approx|no|fig|dr|mr|ms)$/i;

/** The sentences of a passage. A table row is one sentence, because its cells refer to each other. */
export function sentencesOf({ text, marks }: FlatText, isRow: boolean): Sentence[] {
  const found: Sentence[] = [];
  let start = 0;
  let next = 0;
  const code = marks.filter(({ kind }) => kind === "code").sort((a, b) => a.start - b.start);
  if (!isRow) {
    for (const { index, 0: end } of text.matchAll(END)) {
      while (next < code.length && (code[next] as Mark).end <= index) next++;
      const inside = code[next];
      if (inside && inside.start <= index) continue;
      if (end === "." && ABBREVIATION.test(text.slice(Math.max(0, index - 8), index))) continue;
      found.push({ start, end: index + 1 });
      start = index + 1;
    }
  }
  if (text.slice(start).trim() !== "") found.push({ start, end: text.length });
  return found;
}
