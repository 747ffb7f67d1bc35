import { dirname } from "node:path";
import type { SkillMetadata } from "../skill/schema.ts";
import { ANCHORS, countOneMore, FIELD_COUNT } from "./fields.ts";
import type { SkillEntry } from "./text-index.ts";
import { tokenize } from "./tokenize.ts";

/** A sentence that has the form of a reference to other skills. Whether there are such skills, the catalog decides. */
export interface Anchor {
  /** Marks of the names it may mean. */
  readonly names: readonly number[];
  readonly words: readonly string[];
}

/** A name with hyphens, or one word in backticks, asterisks or after a slash: `release-notes`, **review**, /plan. */
const NAMES = /[a-z0-9]+(?:-[a-z0-9]+)+|(?<=[`*/])[a-z0-9]{3,}(?=[`*])/g;
const SENTENCES = /\n+|(?<=[.;])\s+/;
/** A longer stretch is no sentence about a skill. */
const MAX_SENTENCE = 600;
/** So many sentences say what a skill is about; a skill that hundreds name would be found by everything. */
const MAX_ANCHORS = 60;

export function findAnchors(text: string): Anchor[] {
  const anchors: Anchor[] = [];
  for (const sentence of new Set(text.split(SENTENCES))) {
    if (sentence.length > MAX_SENTENCE) continue;
    const names = sentence.match(NAMES);
    if (names) anchors.push({ names: [...new Set(names)].map(nameMark), words: tokenize(sentence) });
  }
  return anchors;
}

/** Names are kept as numbers: nearly all of them are no skill's. */
function nameMark(name: string): number {
  let mark = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) mark = Math.imul(mark ^ name.charCodeAt(i), 0x01000193);
  return mark >>> 0;
}

/** Anchors as numbers, one after the other: how many names, the names, how many words, the words. */
export function packAnchors(anchors: readonly Anchor[], numberOf: (word: string) => number): Uint32Array {
  return Uint32Array.from(
    anchors.flatMap(({ names, words }) => [names.length, ...names, words.length, ...words.map(numberOf)]),
  );
}

/**
 * The entries with what the skills beside them say of each. It depends on the names of all skills, so that it is worked out
 * anew whenever an index is opened: an index that was kept says the same as one that is made.
 */
export function withAnchors(
  entries: readonly SkillEntry[],
  skills: readonly Pick<SkillMetadata, "name" | "dir">[],
): SkillEntry[] {
  const named = new Map<string, number[]>();
  skills.forEach(({ name, dir }, skill) => {
    const group = dirname(dir);
    for (const own of new Set([name.toLowerCase(), dir.slice(group.length + 1).toLowerCase()])) {
      const key = `${group}\n${nameMark(own)}`;
      const list = named.get(key);
      if (list) list.push(skill);
      else named.set(key, [skill]);
    }
  });
  const said = skills.map((): Uint32Array[] => []);
  entries.forEach(({ anchors }, skill) => {
    const group = dirname(skills[skill]?.dir ?? "");
    for (let at = 0; at < anchors.length; ) {
      const namesEnd = at + 1 + (anchors[at] ?? 0);
      const wordsEnd = namesEnd + 1 + (anchors[namesEnd] ?? 0);
      const names = anchors.subarray(at + 1, namesEnd);
      const words = anchors.subarray(namesEnd + 1, wordsEnd);
      at = wordsEnd;
      const meant = new Set([...names].flatMap((mark) => named.get(`${group}\n${mark}`) ?? []));
      meant.delete(skill);
      for (const other of meant) {
        const list = said[other];
        if (list && list.length < MAX_ANCHORS) list.push(words);
      }
    }
  });
  return entries.map((entry, skill) => addAnchors(entry, said[skill] ?? []));
}

function addAnchors(entry: SkillEntry, sentences: readonly Uint32Array[]): SkillEntry {
  if (sentences.length === 0) return entry;
  const counts = new Map<number, number>();
  entry.words.forEach((word, i) => {
    counts.set(word, entry.counts[i] ?? 0);
  });
  let length = 0;
  for (const words of sentences) {
    length += words.length;
    for (const word of words) counts.set(word, countOneMore(counts.get(word) ?? 0, ANCHORS));
  }
  return {
    ...entry,
    words: Uint32Array.from(counts.keys()),
    counts: Uint16Array.from(counts.values()),
    lengths: [...entry.lengths.slice(0, FIELD_COUNT - 1), length],
  };
}
