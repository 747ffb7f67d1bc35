import { compareText } from "../../shared/compare-text.ts";
import type { Hold } from "./held.ts";
import { hold } from "./hold.ts";
import { type FoundFile, type PlacedFault, walkFiles } from "./walk-files.ts";

interface FileLimits {
  /** How many files are listed. */
  readonly maxFiles: number;
  /** How many bytes they may have together. */
  readonly maxBytes: number;
  /** Absolute paths of folders in it that are skipped. */
  readonly except?: ReadonlySet<string>;
}

export interface FileListing {
  /** Absolute paths of regular files without the skill's own `SKILL.md`, sorted. */
  readonly files: string[];
  /** There are more files than these. */
  readonly truncated: boolean;
  /** The largest of the files that the limits omitted. */
  readonly omitted: { readonly path: string; readonly size: number }[];
  readonly omittedCount: number;
  /** Faults: what is in the folder and not served, or served only under lenient validation. */
  readonly faults: readonly PlacedFault[];
}

const MAX_TOLD = 20;

/**
 * The files that come with a skill, by its canonical folder. The smallest files are taken first until all together would
 * have more than `maxBytes`, so that one huge file does not hide the others. No link that leads out is listed.
 */
export function listFiles(dir: string, limits: FileLimits, holding: Hold = hold): FileListing {
  const { files, faults, bounded } = walkFiles(dir, holding, limits.except);
  const bySize = files.toSorted((a, b) => a.size - b.size || inPathOrder(a, b));
  const listed = bySize
    .slice(0, howManyFit(bySize, limits.maxBytes))
    .sort(inPathOrder)
    .slice(0, limits.maxFiles);
  const names = new Set(listed.map(({ path }) => path));
  const omitted = files
    .filter(({ path }) => !names.has(path))
    .sort((a, b) => b.size - a.size || inPathOrder(a, b));
  return {
    files: listed.map(({ path }) => path),
    truncated: bounded || omitted.length > 0,
    omitted: omitted.slice(0, MAX_TOLD).map(({ path, size }) => ({ path, size })),
    omittedCount: omitted.length,
    faults: [...faults, ...hardLinks(files)].sort(inPathOrder),
  };
}

function howManyFit(files: readonly FoundFile[], maxBytes: number): number {
  let sum = 0;
  for (const [index, { size }] of files.entries()) {
    sum += size;
    if (sum > maxBytes) return index;
  }
  return files.length;
}

/** One fault for all: in a folder that was copied with hard links, every file is one. */
function hardLinks(files: readonly FoundFile[]): PlacedFault[] {
  const linked = files.filter(({ hardLink }) => hardLink).sort(inPathOrder);
  const [first, ...others] = linked;
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` (and so are ${others.length} other files of the skill)`;
  const message = `It is a hard link${more}, maybe to a file outside the skill's folder; strict validation does not serve it.`;
  return [{ path: first.path, fault: { fault: "HARDLINK", message } }];
}

function inPathOrder(a: { readonly path: string }, b: { readonly path: string }): number {
  return compareText(a.path, b.path);
}
