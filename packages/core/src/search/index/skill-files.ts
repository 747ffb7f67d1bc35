import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { readSkillBytes } from "../../catalog/scan/skill-at.ts";
import { writeWhole } from "../../shared/write-whole.ts";
import { splitFrontmatter } from "../../skill/frontmatter.ts";
import type { TextIndex } from "./text-index.ts";

/** A skill's subject is clear from the beginning of its other files. */
const BYTES_PER_FILE = 2_560;
const MAX_FILES = 20;
const MAX_FOLDERS = 20;
const MAX_DEPTH = 3;
/** A folder with more entries is data, not documentation. */
const MAX_ENTRIES = 500;
/** They say nothing about the subject. */
const SKIPPED = /^(?:skill|license|changelog|contributing|code_of_conduct)\.md$/i;

/** The Markdown files beside a `SKILL.md`: references, guides, examples. */
export interface Beside {
  /** Their beginnings. */
  readonly text: string;
  /** What was looked at, so that a change can be noticed: lines of time, size and path. */
  readonly state: string;
}

export const NOTHING_BESIDE: Beside = { text: "", state: "" };

/** Reads a few files in a fixed order. Links are not followed, and folders with a skill of their own are left out. */
export function readBeside(dir: string): Beside {
  const texts: string[] = [];
  const states: string[] = [];
  let folders = 0;
  const visit = (folder: string, depth: number): void => {
    if (folders >= MAX_FOLDERS) return;
    folders++;
    const path = join(dir, folder);
    states.push(stateLine(path, folder));
    const entries = entriesOf(path);
    if (folder !== "" && entries.some(({ name }) => name === "SKILL.md")) return;
    for (const entry of entries) {
      const { name } = entry;
      if (name.startsWith(".") || name === "node_modules" || name.includes("\n")) continue;
      const below = folder === "" ? name : `${folder}/${name}`;
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH) visit(below, depth + 1);
      } else if (entry.isFile() && /\.mdx?$/i.test(name) && !SKIPPED.test(name) && texts.length < MAX_FILES) {
        const { text, line } = beginningOf(join(dir, below), below);
        texts.push(text);
        states.push(line);
      }
    }
  };
  visit("", 1);
  return { text: texts.join("\n\n"), state: states.join("\n") };
}

/** Whether any of the files and folders is another than it was. */
export function isStateChanged(dir: string, state: string): boolean {
  return state.split("\n").some((line) => {
    const path = line.slice(line.indexOf(" ", line.indexOf(" ") + 1) + 1);
    return stateLine(join(dir, path), path) !== line;
  });
}

function stateLine(file: string, path: string): string {
  try {
    return lineOf(statSync(file), path);
  } catch {
    return `- - ${path}`;
  }
}

function lineOf({ mtimeMs, size }: Stats, path: string): string {
  return `${mtimeMs} ${size} ${path}`;
}

/** Files before folders: they are nearer to the skill. */
function entriesOf(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    if (entries.length > MAX_ENTRIES) return [];
    return entries.sort(
      (a, b) => Number(a.isDirectory()) - Number(b.isDirectory()) || (a.name < b.name ? -1 : 1),
    );
  } catch {
    // The folder is gone or must not be read: the skill is found by its own text.
    return [];
  }
}

/** A file that was replaced by a link is not followed, and one replaced by a pipe is not waited for. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
let buffer = Buffer.alloc(BYTES_PER_FILE);

function beginningOf(file: string, path: string): { text: string; line: string } {
  const read = readBeginning(file, BYTES_PER_FILE);
  if (!read) return { text: "", line: stateLine(file, path) };
  const { text, stats } = read;
  // The last word may be cut.
  return { line: lineOf(stats, path), text: read.isWhole ? text : text.slice(0, text.search(/\s\S*$/)) };
}

/** The first bytes of a file as text; `undefined` if it cannot be read. */
export function readBeginning(
  file: string,
  maxBytes: number,
): { readonly text: string; readonly isWhole: boolean; readonly stats: Stats } | undefined {
  try {
    const descriptor = openSync(file, FLAGS);
    try {
      if (buffer.length < maxBytes) buffer = Buffer.alloc(maxBytes);
      const size = readSync(descriptor, buffer, 0, maxBytes, 0);
      return {
        text: buffer.toString("utf8", 0, size),
        isWhole: size < maxBytes,
        stats: fstatSync(descriptor),
      };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** How many skills are checked at a time, and how often at most. */
const AT_A_TIME = 1_000;
const PAUSE_MS = 1_000;

/**
 * Notices changes of the Markdown files beside skills. A search does not wait for a look at all files of a large catalog: each
 * search checks some skills, and the next one goes on from there, in another process too, by a number in the file `progress`.
 */
export class BesideCheck {
  readonly #folders: readonly string[];
  readonly #progress: string | null;
  #next: number | undefined;
  #pauseEnds = 0;

  constructor(folders: readonly string[], progress: string | null) {
    this.#folders = folders;
    this.#progress = folders.length > AT_A_TIME ? progress : null;
  }

  /** Whether a change was noticed. */
  hasChanged({ besideOf }: Pick<TextIndex, "besideOf">): boolean {
    if (performance.now() < this.#pauseEnds) return false;
    const count = this.#folders.length;
    let next = this.#next ?? this.#readProgress();
    let isChanged = false;
    for (let left = Math.min(AT_A_TIME, count); left > 0 && !isChanged; left--) {
      isChanged = isStateChanged(this.#folders[next] ?? "", besideOf(next));
      next = (next + 1) % count;
    }
    this.#next = next;
    if (this.#progress !== null) writeWhole(this.#progress, String(next));
    this.#pauseEnds = performance.now() + PAUSE_MS;
    return isChanged;
  }

  #readProgress(): number {
    const text = this.#progress === null ? "" : readBeginning(this.#progress, 20)?.text;
    return (Number.parseInt(text ?? "", 10) || 0) % Math.max(1, this.#folders.length);
  }
}

/** The text below the frontmatter; empty if the file was removed since the snapshot. */
export function bodyOf(file: string): string {
  const content = readSkillBytes(file);
  return "fault" in content ? "" : bodyIn(content.bytes);
}

export function bodyIn(bytes: Buffer): string {
  const split = splitFrontmatter(bytes);
  return bytes.toString("utf8", "fault" in split ? 0 : split.bodyStart);
}
