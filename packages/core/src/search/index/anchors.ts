import { dirname } from "node:path";
import { fold } from "../../shared/fold.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import { type Anchor, nameMark } from "../text/anchor.ts";
import { ANCHORS, countOneMore, FIELD_COUNT } from "../text/field-counts.ts";
import type { SkillEntry } from "./skill-entry.ts";

/** So many sentences say what a skill is about; a skill that hundreds name would be found by everything. */
const MAX_ANCHORS = 60;

/** Anchors as numbers, one after the other: how many names, the names, how many words, the words. */
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
 * The entries with what the skills beside them say of each. It depends on the names of all skills, so that it is worked out
 * anew whenever an index is opened: an index that was kept says the same as one that is made.
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

/** `slots` is room by word, -1 between two calls: where the word stands among those of the skill. */
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
