import type { SkillMetadata } from "../../skill/schema.ts";
import type { TextIndex } from "../index/postings.ts";
import { tokenize } from "../text/tokenize.ts";
import { type StandIn, type StandIns, showStandIn } from "./typos.ts";

/** A word of a query as it was written, with its numbers and with what stands in for it. */
export interface WrittenWord {
  readonly word: string;
  readonly numbers: readonly number[];
  readonly standIns: readonly StandIn[];
}

/** Each once. */
export function writtenWords(text: string, { words }: TextIndex, standIns: StandIns): WrittenWord[] {
  const written = new Set(Array.from(text.matchAll(/[\p{L}\p{N}\p{M}_-]+/gu), ([word]) => word));
  return [...written].map((word) => {
    const parts = tokenize(word);
    return {
      word,
      numbers: parts.flatMap((part) => words.get(part) ?? []),
      standIns: parts.flatMap((part) => standIns.get(part) ?? []),
    };
  });
}

/** Those that the skill with this number has; `deplyo→deploy` where one stood in. */
export function matchedWords(
  written: readonly WrittenWord[],
  index: TextIndex,
  number: number,
  skill: SkillMetadata,
): string[] {
  const has = (word: number): boolean => hasEntry(index, word, number);
  return written.flatMap(({ word, numbers, standIns }) => [
    ...(numbers.some(has) ? [word] : []),
    ...standIns.filter((standIn) => has(standIn.number)).map((standIn) => showStandIn(standIn, skill)),
  ]);
}

/** Entries of a word are in the order of the skills. */
function hasEntry(index: TextIndex, word: number, skill: number): boolean {
  const end = index.starts[word + 1] ?? 0;
  let low = index.starts[word] ?? 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((index.skills[middle] ?? 0) < skill) low = middle + 1;
    else high = middle;
  }
  return low < end && index.skills[low] === skill;
}
