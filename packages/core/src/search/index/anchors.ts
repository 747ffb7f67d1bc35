import { dirname } from "node:path";
import { fold } from "../../shared/fold.ts";
import { ByteReader, ByteWriter } from "../../shared/stored/byte-writer.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import { type Anchor, nameMark } from "../text/anchor.ts";

/** This many sentences describe a skill well enough; a skill named by hundreds would match everything. */
const MAX_ANCHORS = 60;

/**
 * The sentences of a skill that may be about others. Of those that name no skill only the names are kept: if a skill of such a
 * name appears, this one is read again.
 */
export interface Sayings {
  readonly anchors: readonly Anchor[];
  /** Names that no skill has. */
  readonly others: readonly number[];
}

export function writeSayings(writer: ByteWriter, { anchors, others }: Sayings): void {
  writer.varint(anchors.length);
  for (const { names, words } of anchors) {
    writeList(writer, names);
    writeList(writer, words);
  }
  writeList(writer, others);
}

function writeList(writer: ByteWriter, list: readonly number[]): void {
  writer.varint(list.length);
  for (const number of list) writer.varint(number);
}

/** The sayings of each skill, one after the other. */
export class SayingsReader {
  readonly #reader: ByteReader;

  constructor(bytes: Uint8Array) {
    this.#reader = new ByteReader(bytes);
  }

  next(): Sayings {
    const anchors = Array.from({ length: this.#reader.varint() }, () => ({
      names: this.#list(),
      words: this.#list(),
    }));
    return { anchors, others: this.#list() };
  }

  #list(): number[] {
    const list: number[] = [];
    for (let left = this.#reader.varint(); left > 0; left--) list.push(this.#reader.varint());
    return list;
  }
}

/** Skills by name, for those in the same folder. */
export class Neighbours {
  /** The marks of all names. */
  readonly marks = new Set<number>();
  readonly #groups: readonly string[];
  readonly #named = new Map<string, Map<number, number[]>>();

  constructor(skills: readonly Pick<SkillMetadata, "name" | "dir">[]) {
    this.#groups = skills.map(({ dir }) => dirname(dir));
    skills.forEach(({ name, dir }, skill) => {
      const group = this.#groups[skill] ?? "";
      const marks = this.#named.get(group) ?? new Map<number, number[]>();
      this.#named.set(group, marks);
      for (const own of new Set([fold(name), fold(dir.slice(group.length + 1))])) {
        const mark = nameMark(own);
        this.marks.add(mark);
        marks.set(mark, [...(marks.get(mark) ?? []), skill]);
      }
    });
  }

  /** The other skills that a skill means by these names. */
  meant(skill: number, names: readonly number[]): Set<number> {
    const marks = this.#named.get(this.#groups[skill] ?? "");
    const meant = new Set<number>();
    for (const name of names) for (const other of marks?.get(name) ?? []) meant.add(other);
    meant.delete(skill);
    return meant;
  }
}

/** By skill: the words of the sentences that others say about it. And the sayings as they are to be stored. */
export interface Said {
  readonly said: ReadonlyMap<number, readonly (readonly number[])[]>;
  readonly stored: Uint8Array<ArrayBuffer>;
}

export function whoIsMeant(sayings: Iterable<Sayings>, neighbours: Neighbours): Said {
  const said = new Map<number, (readonly number[])[]>();
  const writer = new ByteWriter();
  let skill = 0;
  for (const { anchors, others } of sayings) {
    const unknown = new Set(others);
    const known = anchors.filter(({ names, words }) => {
      const meant = neighbours.meant(skill, names);
      for (const other of meant) {
        const sentences = said.get(other) ?? [];
        said.set(other, sentences);
        if (sentences.length < MAX_ANCHORS) sentences.push(words);
      }
      if (meant.size === 0) for (const name of names) unknown.add(name);
      return meant.size > 0;
    });
    writeSayings(writer, { anchors: known, others: [...unknown] });
    skill++;
  }
  // Entries are sorted by skill.
  return { said: new Map([...said].sort(([a], [b]) => a - b)), stored: writer.written() };
}
