import { hash } from "node:crypto";
import type { Stats } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Fault } from "../../shared/diagnostics.ts";
import type { Reading } from "../../skill/skill-text.ts";

/** A `SKILL.md` as a scan found it. */
export interface ScannedFile extends Reading {
  readonly id: string;
  readonly path: string;
  readonly mtimeMs: number;
}

/**
 * What the operating system tells about a file or folder without opening it: device, inode, size, mtime, ctime. Any
 * change of content changes one of these: a writer can set mtime back, but not ctime.
 */
const IDENTITY = 5;
/** A folder's numbers: its identity, that of its `SKILL.md` (zeros where it has none), and its parent's index. */
export const NUMBERS = 2 * IDENTITY + 1;
const FILE = IDENTITY;
const PARENT = 2 * IDENTITY;

/**
 * What is known of one folder tree: enough to tell later, by looking at time stamps alone, what changed in it. In
 * columns, because a hundred thousand folders as objects cost more to make than to look at.
 */
export interface Tree {
  /** When the scan that made it began. */
  readonly seenAt: number;
  /** Parents before children, siblings in the order of their names. */
  readonly paths: readonly string[];
  /** `NUMBERS` a folder. */
  readonly numbers: Float64Array;
  readonly skills: readonly (ScannedFile | null)[];
  /** Names of symbolic links, which are checked each time: their targets change elsewhere. */
  readonly links: ReadonlyMap<number, readonly string[]>;
  /** What is wrong with a folder itself. */
  readonly faults: ReadonlyMap<number, readonly Fault[]>;
}

export function parentOf(tree: Tree, index: number): number {
  return tree.numbers[index * NUMBERS + PARENT] ?? -1;
}

export function deviceOf(tree: Tree, index: number): number {
  return tree.numbers[index * NUMBERS] ?? 0;
}

export function inodeOf(tree: Tree, index: number): number {
  return tree.numbers[index * NUMBERS + 1] ?? 0;
}

export function isSameFolder(tree: Tree, index: number, now: Stats): boolean {
  return isSame(tree.numbers, index * NUMBERS, now, tree.seenAt);
}

export function isSameFile(tree: Tree, index: number, now: Stats): boolean {
  const at = index * NUMBERS + FILE;
  return tree.numbers[at + 2] === now.size && isSame(tree.numbers, at, now, tree.seenAt);
}

function isSame(numbers: Float64Array, at: number, now: Stats, seenAt: number): boolean {
  return (
    numbers[at + 4] === now.ctimeMs &&
    numbers[at + 3] === now.mtimeMs &&
    numbers[at + 1] === now.ino &&
    numbers[at] === now.dev &&
    isSettled(now.mtimeMs, now.ctimeMs, seenAt)
  );
}

/** A kernel stamps changes with a clock that ticks every 1 to 10 ms; some file systems count whole seconds, even two. */
const TICK_MS = 50;
const COARSE_TICK_MS = 2_000;

/**
 * Whether a change after `seenAt` would have got a later time stamp. One in the same tick as the last look would not,
 * so what was looked at so soon after its change is read again the next time. The same holds for stamps that lie in
 * the future, as after a clock was set back.
 */
export function isSettled(mtimeMs: number, ctimeMs: number, seenAt: number): boolean {
  const tick = ctimeMs % 1000 === 0 ? COARSE_TICK_MS : TICK_MS;
  return Math.max(mtimeMs, ctimeMs) + tick < seenAt;
}

/** What tells one state of a folder's `SKILL.md` from another. */
export function fileMark(tree: Tree, index: number): string {
  return markOfNumbers(tree.numbers.subarray(index * NUMBERS + FILE, index * NUMBERS + PARENT));
}

/** The same of a file that was just looked at. */
export function markOfStats({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return markOfNumbers(Float64Array.of(dev, ino, size, mtimeMs, ctimeMs));
}

/** The bytes, because numbers with a fraction are slow to write. */
function markOfNumbers({ buffer, byteOffset, byteLength }: Float64Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/** Device and inode: one folder, whatever path leads to it. */
export function folderKeys(tree: Tree): string[] {
  return tree.paths.map((_, i) => `${deviceOf(tree, i)}:${inodeOf(tree, i)}`);
}

/** Whether two looks saw the same; a file that was read again because it is fresh may say what it said before. */
export function isSameTree(a: Tree, b: Tree): boolean {
  return (
    a === b ||
    (a.paths.length === b.paths.length &&
      a.paths.every((path, i) => path === b.paths[i]) &&
      a.numbers.every((number, i) => number === b.numbers[i]) &&
      a.skills.every((skill, i) => skill === b.skills[i] || isDeepStrictEqual(skill, b.skills[i])) &&
      isDeepStrictEqual([a.links, a.faults], [b.links, b.faults]))
  );
}

/** Makes a tree, folder by folder. */
export class TreeBuilder {
  readonly #paths: string[] = [];
  readonly #skills: (ScannedFile | null)[] = [];
  readonly #links = new Map<number, readonly string[]>();
  readonly #faults = new Map<number, readonly Fault[]>();
  #numbers = new Float64Array(64 * NUMBERS);

  get length(): number {
    return this.#paths.length;
  }

  /** Adds a folder and answers its index. */
  add(path: string, parent: number, stats: Stats | null): number {
    const index = this.#paths.push(path) - 1;
    this.#skills.push(null);
    this.#reserve(index + 1);
    if (stats) this.#putIdentity(index * NUMBERS, stats);
    this.#numbers[index * NUMBERS + PARENT] = parent;
    return index;
  }

  /** Without stats the file will be read again the next time. */
  setSkill(index: number, skill: ScannedFile, stats: Stats | null): void {
    this.#skills[index] = skill;
    if (stats) this.#putIdentity(index * NUMBERS + FILE, stats);
  }

  setLinks(index: number, links: readonly string[]): void {
    if (links.length > 0) this.#links.set(index, links);
  }

  addFault(index: number, fault: Fault): void {
    this.#faults.set(index, [...(this.#faults.get(index) ?? []), fault]);
  }

  /** Takes over what a folder of another tree has, its place in the tree apart. */
  copy(path: string, parent: number, from: Tree, index: number): number {
    const at = this.add(path, parent, null);
    this.#numbers.set(from.numbers.subarray(index * NUMBERS, index * NUMBERS + PARENT), at * NUMBERS);
    this.#skills[at] = from.skills[index] ?? null;
    this.setLinks(at, from.links.get(index) ?? []);
    for (const fault of from.faults.get(index) ?? []) this.addFault(at, fault);
    return at;
  }

  /** Takes over a whole tree. A parent below -1 stands for a folder of this tree: `parentOf` says which. */
  append(tree: Tree, parentOf: (start: number) => number): void {
    const offset = this.length;
    this.#reserve(offset + tree.paths.length);
    this.#numbers.set(tree.numbers, offset * NUMBERS);
    for (let i = 0; i < tree.paths.length; i++) {
      this.#paths.push(tree.paths[i] ?? "");
      this.#skills.push(tree.skills[i] ?? null);
      const at = (offset + i) * NUMBERS + PARENT;
      const parent = this.#numbers[at] ?? -1;
      this.#numbers[at] = parent < -1 ? parentOf(-2 - parent) : parent + offset;
    }
    for (const [index, links] of tree.links) this.#links.set(index + offset, links);
    for (const [index, faults] of tree.faults) this.#faults.set(index + offset, faults);
  }

  build(seenAt: number): Tree {
    const numbers = this.#numbers.slice(0, this.length * NUMBERS);
    return {
      seenAt,
      paths: this.#paths,
      numbers,
      skills: this.#skills,
      links: this.#links,
      faults: this.#faults,
    };
  }

  #reserve(folders: number): void {
    if (folders * NUMBERS <= this.#numbers.length) return;
    const larger = new Float64Array(Math.max(this.#numbers.length * 2, folders * NUMBERS));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  #putIdentity(at: number, { dev, ino, size, mtimeMs, ctimeMs }: Stats): void {
    const numbers = this.#numbers;
    numbers[at] = dev;
    numbers[at + 1] = ino;
    numbers[at + 2] = size;
    numbers[at + 3] = mtimeMs;
    numbers[at + 4] = ctimeMs;
  }
}

/** `id` of a skill: stable for a canonical path, and nothing else goes into it. */
export function skillId(path: string): string {
  // Not a slice of the digest in hexadecimal, which would keep the other half in memory.
  return hash("sha256", path, "buffer").toString("hex", 0, 16);
}
