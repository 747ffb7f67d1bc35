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
const buffer = Buffer.alloc(BYTES_PER_FILE);

function beginningOf(file: string, path: string): { text: string; line: string } {
  try {
    const descriptor = openSync(file, FLAGS);
    try {
      const line = lineOf(fstatSync(descriptor), path);
      const size = readSync(descriptor, buffer, 0, BYTES_PER_FILE, 0);
      const text = buffer.toString("utf8", 0, size);
      // The last word may be cut.
      return { line, text: size < BYTES_PER_FILE ? text : text.slice(0, text.search(/\s\S*$/)) };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return { text: "", line: stateLine(file, path) };
  }
}
