/** The skills and prompts that search is measured and trained with, and searches over samples of the skills. */
import { readFileSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { type Catalog, openCatalog, readSkill } from "@knack/core";
import { withAnchors } from "../../packages/core/src/search/index/anchors.ts";
import { IndexBuilder, invert } from "../../packages/core/src/search/index/postings.ts";
import type { SkillEntry } from "../../packages/core/src/search/index/skill-entry.ts";
import { inSearchOrder, SkillSearch } from "../../packages/core/src/search/search.ts";
import type { SkillMetadata } from "../../packages/core/src/skill/schema.ts";

export interface Prompt {
  readonly query: string;
  /** The path of the skill it was written for. */
  readonly gold: string;
  readonly name: string;
  readonly names_skill: boolean;
  readonly cjk: boolean;
}

export const readPrompts = (file: string): Prompt[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Prompt);

/** Requests that no skill is for, one on a line. */
export const readRequests = (part: "train" | "test"): string[] =>
  readFileSync(`${import.meta.dirname}/everyday.${part}.txt`, "utf8")
    .trim()
    .split("\n");

export const collectionOf = (gold: string): string => gold.split("/")[0] ?? "";
/** One of five parts; prompts of one skill are in the same. */
export const foldOf = (gold: string): number =>
  [...gold].reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0, 0) % 5;

/** mulberry32: the same numbers on every platform. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** Every skill of a folder, read leniently and without an index on disk. */
export const openSkills = (root: string): Promise<Catalog> =>
  openCatalog({
    cwd: root,
    roots: [{ path: root }],
    validation: "lenient",
    cache: false,
    env: {},
    home: root,
  });

/** All skills below a folder, tokenized once. */
export class Corpus {
  readonly skills: readonly SkillMetadata[];
  readonly #words: readonly string[];
  readonly #entries: readonly SkillEntry[];
  readonly #numbers: ReadonlyMap<string, number>;

  private constructor(
    skills: readonly SkillMetadata[],
    root: string,
    builder: IndexBuilder,
    entries: SkillEntry[],
  ) {
    this.skills = skills;
    this.#words = [...builder.words.keys()];
    this.#entries = entries;
    this.#numbers = new Map(skills.map(({ path }, i) => [relative(root, path), i]));
  }

  static async open(folder: string): Promise<Corpus> {
    const root = resolve(folder);
    const catalog = await openSkills(root);
    const skills = catalog.skills.toSorted(inSearchOrder);
    const builder = new IndexBuilder();
    const entries: SkillEntry[] = [];
    for (const skill of skills) {
      const { name, dir, description } = skill;
      const { body } = await readSkill(skill);
      entries.push(builder.pack({ name, folder: basename(dir), description, body }));
    }
    return new Corpus(skills, root, builder, entries);
  }

  numberOf(gold: string): number {
    return this.#numbers.get(gold) ?? -1;
  }

  /** Search over some of the skills, by number; its results count from 0 in the order of the numbers. */
  searchOver(numbers: readonly number[]): SkillSearch {
    const skills = numbers.map((number) => this.skills[number] as SkillMetadata);
    const words = new Map<string, number>();
    const renumbered = new Map<number, number>();
    const renumber = (word: number): number => {
      const known = renumbered.get(word);
      if (known !== undefined) return known;
      renumbered.set(word, renumbered.size);
      words.set(this.#words[word] ?? "", words.size);
      return words.size - 1;
    };
    const entries = numbers.map((number): SkillEntry => {
      const entry = this.#entries[number] as SkillEntry;
      return {
        ...entry,
        words: entry.words.map(renumber),
        sequence: entry.sequence.map((item) => (item < 0 ? item : renumber(item))),
        anchors: renumberAnchors(entry.anchors, renumber),
      };
    });
    return new SkillSearch(skills, invert(withAnchors(entries, skills, words.size), words), 50);
  }
}

/** Anchors are: count of names, names, count of words, words. */
function renumberAnchors(anchors: Uint32Array, renumber: (word: number) => number): Uint32Array {
  const own = anchors.slice();
  for (let at = 0; at < own.length; ) {
    const from = at + 1 + (own[at] ?? 0);
    const end = from + 1 + (own[from] ?? 0);
    for (let i = from + 1; i < end; i++) own[i] = renumber(own[i] ?? 0);
    at = end;
  }
  return own;
}
