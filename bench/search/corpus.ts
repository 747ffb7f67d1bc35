/** The skills and prompts that search is measured and trained with, and searches over samples of the skills. */
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type Catalog, openCatalog, readSkill } from "@knack/core";
import { makeIndex, type SkillToIndex } from "../../packages/core/src/search/index/make-index.ts";
import { readBeside } from "../../packages/core/src/search/index/skill-files.ts";
import { openInMemory, type TextIndex } from "../../packages/core/src/search/index/text-index.ts";
import { queryWords } from "../../packages/core/src/search/query/query-words.ts";
import { Typos } from "../../packages/core/src/search/query/typos.ts";
import { lookUpWords, Scores, topOf } from "../../packages/core/src/search/ranking/candidates.ts";
import { fitRow, isShortMatch } from "../../packages/core/src/search/ranking/fit-features.ts";
import { HitReader } from "../../packages/core/src/search/ranking/order-features.ts";
import { rankFeatures } from "../../packages/core/src/search/ranking/rank.ts";
import { CANDIDATES, inSearchOrder } from "../../packages/core/src/search/search.ts";
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

/** A request of `requests.jsonl`, which says what they are. */
export interface Written {
  readonly kind: string;
  readonly query: string;
  readonly also: readonly string[];
  readonly short?: readonly string[];
  readonly gold?: string;
  readonly held?: boolean;
}

/** `requests.apart.jsonl` has more, for skills of seven collections, of which nothing is learnt. */
export const writtenLines = (file = "requests.jsonl"): Written[] =>
  readFileSync(`${import.meta.dirname}/${file}`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Written);

/** Those in English that a skill is for, as prompts. */
export const readWritten = (): (Prompt & { readonly held: boolean })[] =>
  writtenLines().flatMap(({ kind, query, gold, held }) =>
    gold === undefined || kind.length === 2
      ? []
      : [
          {
            query,
            gold,
            name: gold.split("/")[1] ?? "",
            names_skill: false,
            cjk: false,
            held: held === true,
          },
        ],
  );

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

/** The candidates of a query with their features. */
export interface Candidates {
  readonly candidates: readonly number[];
  readonly rows: Float64Array;
  /** The row of `fitRow`, given the best candidate's chance, which depends on the weights. */
  readonly fitRowFor: (c: number, chance: number) => Float64Array;
  /** Whether a candidate fits because the query is short. */
  readonly isShortMatch: (row: Float64Array) => boolean;
}

/** All skills below a folder, read once. */
export class Corpus {
  readonly skills: readonly SkillMetadata[];
  readonly #toIndex: readonly SkillToIndex[];
  readonly #numbers: ReadonlyMap<string, number>;

  private constructor(root: string, toIndex: readonly (SkillToIndex & { readonly skill: SkillMetadata })[]) {
    this.skills = toIndex.map(({ skill }) => skill);
    this.#toIndex = toIndex;
    this.#numbers = new Map(this.skills.map(({ path }, i) => [relative(root, path), i]));
  }

  static async open(folder: string): Promise<Corpus> {
    const root = resolve(folder);
    const catalog = await openSkills(root);
    const toIndex = catalog.skills.toSorted(inSearchOrder).map(async (skill) => {
      const { name, dir, description } = skill;
      const { body } = await readSkill(skill);
      const beside = readBeside(dir);
      return { skill, name, dir, description, key: "", body: () => body, beside: () => beside };
    });
    return new Corpus(root, await Promise.all(toIndex));
  }

  numberOf(gold: string): number {
    return this.#numbers.get(gold) ?? -1;
  }

  /** What a search over some of the skills, by number, compares; candidates count from 0 in the order of the numbers. */
  searchOver(numbers: readonly number[]): (query: string) => Candidates {
    const index = this.indexOf(numbers);
    const hits = new HitReader(index);
    const typos = new Typos(index);
    return (query) => {
      const asked = queryWords(query, index, typos.standIns(query));
      const scores = new Scores(numbers.length);
      scores.add(index, asked);
      const candidates = topOf(scores.meant, CANDIDATES);
      const found = lookUpWords(index, asked, candidates);
      return {
        candidates,
        rows: rankFeatures(index, hits, asked, candidates, scores, found),
        fitRowFor: (c, chance) => fitRow(index, asked, { found, scores }, candidates, c, chance),
        isShortMatch: (row) => isShortMatch(asked, row, row),
      };
    };
  }

  indexOf(numbers: readonly number[]): TextIndex {
    const toIndex = numbers.map((number) => this.#toIndex[number] as SkillToIndex);
    return openInMemory(makeIndex(toIndex, new Uint8Array(), null));
  }
}
