import { type Dirent, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../shared/errors.ts";

/** Larger folders are not compared, so they count as different. */
const MAX_ENTRIES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** A clone has it, a copy has not. */
const IGNORED = ".git";

/** Whether two folders have the same files with the same bytes, and the same links. */
export function isSameFolder(a: string, b: string): boolean {
  try {
    return areSame(a, b, { entries: MAX_ENTRIES, bytes: MAX_BYTES });
  } catch (error) {
    // What cannot be read is not known to be the same.
    systemCode(error);
    return false;
  }
}

/** How much may still be compared. */
interface Left {
  entries: number;
  bytes: number;
}

function areSame(a: string, b: string, left: Left): boolean {
  const ours = list(a);
  const theirs = list(b);
  left.entries -= ours.length;
  if (left.entries < 0 || ours.length !== theirs.length) return false;
  const pairs = ours.map((entry, i) => [entry, theirs[i] ?? entry] as const);
  if (pairs.some(([mine, other]) => mine.name !== other.name || kindOf(mine) !== kindOf(other))) return false;
  // Files first: most folders that differ do so in SKILL.md, beside which there may be a large tree.
  pairs.sort(([mine], [other]) => Number(mine.isDirectory()) - Number(other.isDirectory()));
  return pairs.every(([entry]) => isSameEntry(entry, join(a, entry.name), join(b, entry.name), left));
}

function isSameEntry(entry: Dirent, a: string, b: string, left: Left): boolean {
  if (entry.isDirectory()) return areSame(a, b, left);
  if (entry.isSymbolicLink()) return readlinkSync(a) === readlinkSync(b);
  if (!entry.isFile()) return false;
  const { size } = statSync(a);
  left.bytes -= size;
  return left.bytes >= 0 && size === statSync(b).size && readFileSync(a).equals(readFileSync(b));
}

function list(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== IGNORED)
    .sort((x, y) => (x.name < y.name ? -1 : 1));
}

function kindOf(entry: Dirent): string {
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : entry.isFile() ? "file" : "other";
}
