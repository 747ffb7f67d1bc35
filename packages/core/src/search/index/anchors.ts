import { dirname } from "node:path";
import { fold } from "../../shared/fold.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import { type Anchor, nameMark } from "../text/anchor.ts";
import { ANCHORS, countOneMore, FIELD_COUNT } from "../text/field-counts.ts";
import type { SkillEntry } from "./skill-entry.ts";

/** This many sentences describe a skill well enough; a skill named by hundreds would match everything. */
const MAX_ANCHORS = 60;

/** Anchors as one array of numbers: count of names, names, count of words, words. */
export function packAnchors(anchors: readonly Anchor[]): Uint32Array {
  const length = anchors.reduce((sum, { names, words }) => sum + 2 + names.length + words.length, 0);
  const packed = new Uint32Array(length);
  let at = 0;
  for (const { names, words } of anchors) {
    for (const list of [names, words]) {
      packed[at++] = list.length;
      packed.set(list, at);
      at += list.length;
    }
  }
  return packed;
}

/**
 * Adds to each entry what neighbouring skills say about it. It depends on the names of all skills, so it is computed
 * whenever an index is opened: a cached index gives the same result as a new one.
 */
export function withAnchors(
  entries: readonly SkillEntry[],
  skills: readonly Pick<SkillMetadata, "name" | "dir">[],
  wordCount: number,
): SkillEntry[] {
  const groups = skills.map(({ dir }) => dirname(dir));
  const named = new Map<string, Map<number, number[]>>();
  skills.forEach(({ name, dir }, skill) => {
    const group = groups[skill] ?? "";
    const marks = named.get(group) ?? new Map<number, number[]>();
    named.set(group, marks);
    for (const own of new Set([fold(name), fold(dir.slice(group.length + 1))])) {
      const mark = nameMark(own);
      marks.set(mark, [...(marks.get(mark) ?? []), skill]);
    }
  });
  const said = skills.map((): Uint32Array[] => []);
  entries.forEach(({ anchors }, skill) => {
    const marks = named.get(groups[skill] ?? "");
    for (let at = 0; at < anchors.length; ) {
      const namesEnd = at + 1 + (anchors[at] ?? 0);
      const wordsEnd = namesEnd + 1 + (anchors[namesEnd] ?? 0);
      const meant = new Set<number>();
      for (let i = at + 1; i < namesEnd; i++)
        for (const other of marks?.get(anchors[i] ?? 0) ?? []) meant.add(other);
      meant.delete(skill);
      for (const other of meant) {
        const sentences = said[other];
        if (sentences && sentences.length < MAX_ANCHORS)
          sentences.push(anchors.subarray(namesEnd + 1, wordsEnd));
      }
      at = wordsEnd;
    }
  });
  const slots = new Int32Array(wordCount).fill(-1);
  return entries.map((entry, skill) => addAnchors(entry, said[skill] ?? [], slots));
}

/** `slots` is scratch space by word, -1 between calls: the position of the word in the skill's list. */
function addAnchors(entry: SkillEntry, sentences: readonly Uint32Array[], slots: Int32Array): SkillEntry {
  if (sentences.length === 0) return entry;
  const length = sentences.reduce((sum, { length: size }) => sum + size, 0);
  const words = new Uint32Array(entry.words.length + length);
  const counts = new Uint16Array(words.length);
  words.set(entry.words);
  counts.set(entry.counts);
  let size = entry.words.length;
  for (let i = 0; i < size; i++) slots[words[i] as number] = i;
  for (const sentence of sentences) {
    for (let i = 0; i < sentence.length; i++) {
      const word = sentence[i] as number;
      let slot = slots[word] as number;
      if (slot < 0) {
        slot = size++;
        words[slot] = word;
        slots[word] = slot;
      }
      counts[slot] = countOneMore(counts[slot] as number, ANCHORS);
    }
  }
  for (let i = 0; i < size; i++) slots[words[i] as number] = -1;
  return {
    ...entry,
    words: words.subarray(0, size),
    counts: counts.subarray(0, size),
    lengths: [...entry.lengths.slice(0, FIELD_COUNT - 1), length],
  };
}
