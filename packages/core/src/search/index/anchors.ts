import { dirname } from "node:path";
import { fold } from "../../shared/fold.ts";
import { ByteReader, ByteWriter } from "../../shared/stored/byte-writer.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import { nameMark, type SkillWords } from "../text/skill-words.ts";

/** This many sentences describe a skill well enough; a skill named by hundreds would match everything. */
const MAX_ANCHORS = 60;

/**
 * The sentences of a skill that may be about others. Of those that name no skill only the names are kept: if a skill of such a
 * name appears, this one is read again.
 */
export type SkillMentions = Pick<SkillWords, "anchors" | "others">;

/** The stored mentions of this many skills. */
export function readMentions(bytes: Uint8Array, count: number): SkillMentions[] {
  const reader = new ByteReader(bytes);
  const list = (): number[] => Array.from(reader.list());
  return Array.from({ length: count }, () => ({
    anchors: Array.from({ length: reader.varint() }, () => ({ names: list(), words: list() })),
    others: list(),
  }));
}

/** Skills by name, for those in the same folder. */
export class Neighbours {
  /** The marks of all names. */
  readonly marks = new Set<number>();
  /** By skill: the number of its folder. */
  readonly #groups: Uint32Array;
  /** By folder and mark; one map for all, because most of many folders have one skill. */
  readonly #named = new Map<number, number | number[]>();

  constructor(skills: readonly Pick<SkillMetadata, "name" | "dir">[]) {
    const groups = new Map<string, number>();
    this.#groups = Uint32Array.from(skills, ({ dir }) => {
      const folder = dirname(dir);
      const group = groups.get(folder) ?? groups.size;
      groups.set(folder, group);
      return group;
    });
    skills.forEach(({ name, dir }, skill) => {
      for (const own of new Set([fold(name), fold(dir.slice(dirname(dir).length + 1))])) {
        const mark = nameMark(own);
        this.marks.add(mark);
        const key = this.#key(skill, mark);
        const known = this.#named.get(key);
        this.#named.set(key, known === undefined ? skill : [known, skill].flat());
      }
    });
  }

  /** The other skills that a skill means by these names. */
  meant(skill: number, names: readonly number[]): Set<number> {
    const meant = new Set<number>();
    for (const name of names) {
      const found = this.#named.get(this.#key(skill, name));
      if (typeof found === "number") meant.add(found);
      else for (const other of found ?? []) meant.add(other);
    }
    meant.delete(skill);
    return meant;
  }

  #key(skill: number, mark: number): number {
    return (this.#groups[skill] ?? 0) * 2 ** 32 + mark;
  }
}

/** By skill: the words of the sentences that others say about it. And the mentions as they are to be stored. */
interface ResolvedMentions {
  readonly mentioned: ReadonlyMap<number, readonly (readonly number[])[]>;
  readonly stored: Uint8Array<ArrayBuffer>;
}

export function resolveMentions(
  mentions: readonly SkillMentions[],
  neighbours: Neighbours,
): ResolvedMentions {
  const mentioned = new Map<number, (readonly number[])[]>();
  const writer = new ByteWriter();
  for (const [skill, { anchors, others }] of mentions.entries()) {
    const unknown = new Set(others);
    const known = anchors.filter(({ names, words }) => {
      const meant = neighbours.meant(skill, names);
      for (const other of meant) {
        const sentences = mentioned.get(other) ?? [];
        mentioned.set(other, sentences);
        if (sentences.length < MAX_ANCHORS) sentences.push(words);
      }
      if (meant.size === 0) for (const name of names) unknown.add(name);
      return meant.size > 0;
    });
    writer.varint(known.length);
    for (const { names, words } of known) {
      writer.list(names);
      writer.list(words);
    }
    writer.list([...unknown]);
  }
  return { mentioned, stored: writer.written() };
}
