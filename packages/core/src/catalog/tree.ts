import { hash } from "node:crypto";
import type { Stats } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { deserialize, serialize } from "node:v8";
import type { Fault } from "../shared/diagnostics.ts";
import { isOlderThanTick } from "../shared/file-stamp.ts";
import { loadWhole, saveParts } from "../shared/stored/parts-file.ts";
import type { Reading } from "../skill/skill-text.ts";

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
const NUMBERS = 2 * IDENTITY + 1;
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
    isOlderThanTick(now.mtimeMs, now.ctimeMs, seenAt)
  );
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
    if (this.#numbers.length < (index + 1) * NUMBERS) this.#grow();
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

  #grow(): void {
    const larger = new Float64Array(this.#numbers.length * 2);
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

/** Counts up whenever reading a skill would give another result or the layout changes. */
const MAGIC = "KNACKIX3";

/** What is known of the tree at `top`, or `null`. Which of two writers won does not matter: only what the files confirm is believed. */
export function loadIndex(file: string, top: string): Tree | null {
  return loadWhole(file, MAGIC, (content) => {
    const tree = deserialize(content) as Tree;
    // A file that was copied here is whole, and still not about this tree.
    if (tree.paths[0] !== top) return null;
    // A copy: the numbers would keep the whole content in memory.
    return { ...tree, numbers: tree.numbers.slice() };
  });
}

/** Writes the index; a full or read-only disk is reported to the caller, who can continue without. */
export function saveIndex(file: string, tree: Tree): Fault | undefined {
  const failure = saveParts(file, MAGIC, [serialize(tree)]);
  if (failure === undefined) return undefined;
  return {
    fault: "INDEX",
    message: `The index cannot be written (${failure}). Until it can, every start reads all skills.`,
  };
}

/** The user's cache folder for Knack: never the project's. */
export function cacheFolder(
  env: NodeJS.ProcessEnv,
  home: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const xdg = env.XDG_CACHE_HOME;
  // A relative path would be somewhere else in every folder; the XDG rules ignore it.
  if (xdg && isAbsolute(xdg)) return join(xdg, "knack");
  if (platform === "darwin") return join(home, "Library", "Caches", "knack");
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "knack", "Cache");
  return join(home, ".cache", "knack");
}

/** One file for the words of all skills of a set of roots. */
export function searchIndexFile(
  folder: string | null,
  roots: readonly { readonly real: string; readonly dialect: string }[],
): string | null {
  if (folder === null) return null;
  const key = JSON.stringify(roots.map(({ real, dialect }) => [real, dialect]));
  return join(folder, "search", `${hash("sha256", key, "hex").slice(0, 32)}.idx`);
}
