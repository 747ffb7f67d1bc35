import type { SkillMetadata } from "../../skill/schema.ts";
import type { TextIndex } from "../index/text-index.ts";
import { tokenize } from "../text/tokenize.ts";
import { type StandIn, type StandIns, showStandIn } from "./typos.ts";

/** A word of a query as written, with its number and its correction. */
export interface WrittenWord {
  readonly word: string;
  readonly numbers: readonly number[];
  readonly standIns: readonly StandIn[];
}

/** With the sign of "C#", "C++" and ".NET", which is part of the name. */
const WRITTEN = /\.net(?![\p{L}\p{N}])|[\p{L}\p{N}\p{M}_-]+(?:#|\+\+)?/giu;

/** Entries to read for this. Only a long query in a large catalog has more; its most common words are not shown then. */
const MAX_ENTRIES = 600_000;

/** Without duplicates. */
export function writtenWords(text: string, { words, starts }: TextIndex, standIns: StandIns): WrittenWord[] {
  const texts = new Set(Array.from(text.matchAll(WRITTEN), ([word]) => word));
  const written = [...texts].map((word) => {
    const parts = tokenize(word);
    const numbers = [...new Set(parts.flatMap((part) => words.get(part) ?? []))];
    const entries = numbers.reduce((sum, one) => sum + (starts[one + 1] ?? 0) - (starts[one] ?? 0), 0);
    return { word, numbers, entries, standIns: parts.flatMap((part) => standIns.get(part) ?? []) };
  });
  let read = 0;
  const first = written
    .toSorted((a, b) => a.entries - b.entries)
    .find(({ entries }) => {
      read += entries;
      return read > MAX_ENTRIES;
    });
  return first ? written.filter(({ entries }) => entries < first.entries) : written;
}

/** The words that this skill has; `deplyo→deploy` for a corrected one. */
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

/** Entries of a word are sorted by skill. */
function hasEntry(index: TextIndex, word: number, skill: number): boolean {
  const { skills } = index.entriesOf(word);
  let low = 0;
  let high = skills.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((skills[middle] ?? 0) < skill) low = middle + 1;
    else high = middle;
  }
  return skills[low] === skill;
}
