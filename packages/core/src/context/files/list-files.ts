import { isUtf8 } from "node:buffer";
import { lstatSync, opendirSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Fault, PlacedFault } from "../../shared/diagnostics.ts";
import { systemCode } from "../../shared/errors.ts";
import { compareText } from "../../shared/fold.ts";
import { isInside } from "../../shared/paths.ts";
import { type Hold, hold } from "./hold.ts";

interface FileLimits {
  readonly maxFiles: number;
  /** Of all files together. */
  readonly maxBytes: number;
  /** Folders that are skipped. */
  readonly except?: ReadonlySet<string>;
}

export interface FileListing {
  /** Absolute, sorted, without `SKILL.md`. */
  readonly files: string[];
  readonly truncated: boolean;
  /** The largest that the limits left out. */
  readonly omitted: { readonly path: string; readonly size: number }[];
  readonly omittedCount: number;
  /** What is not served, or only under lenient validation. */
  readonly faults: readonly PlacedFault[];
}

const MAX_TOLD = 20;

/** Smallest files first, until `maxBytes`, so that one huge file does not hide the others. No link that leads out is listed. */
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

/** One fault for all: a copied folder may consist of hard links. */
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

const SKIPPED = new Set([".git", "node_modules"]);
const MAX_ENTRIES = 10_000;
const MAX_DEPTH = 32;

interface Found {
  readonly kind: "folder" | "link" | "file" | "other";
  readonly size: number;
  /** It has other names, maybe outside the folder. */
  readonly hardLink: boolean;
}

type FoundFile = Found & { readonly path: string };

/**
 * Level by level, so that a bound cuts what is deepest. A folder is listed only at its own place, so no name comes from
 * outside. `bounded`: a limit stopped the walk, and a fault says which.
 */
function walkFiles(dir: string, hold: Hold, except: ReadonlySet<string> = new Set()) {
  const files: FoundFile[] = [];
  const faults: PlacedFault[] = [];
  let room = MAX_ENTRIES;
  let depth = 0;
  let level = [dir];
  for (; level.length > 0 && depth <= MAX_DEPTH; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      const listing = listHeld(folder, room, hold, folder === dir ? "SKILL.md" : undefined);
      if ("fault" in listing) {
        faults.push({ path: folder, fault: listing });
        continue;
      }
      room -= listing.seen;
      for (const entry of listing.entries) {
        const path = join(folder, entry.name);
        if (SKIPPED.has(entry.name) || except.has(path)) continue;
        if (entry.kind === "folder") {
          next.push(path);
          continue;
        }
        const found = entry.kind === "link" ? behindLink(path, dir, hold) : entry;
        if (found && "fault" in found) faults.push({ path, fault: found });
        else if (found?.kind === "file") files.push({ ...found, path });
        else if (found) faults.push({ path, fault: NOT_A_FILE });
      }
      if (listing.unreadable > 0) faults.push({ path: folder, fault: badNames(listing.unreadable) });
      if (!listing.more) continue;
      const message = `The skill has more than ${MAX_ENTRIES} files and folders; the others are not listed.`;
      faults.push({ path: dir, fault: { fault: "FILES_LIMIT", message } });
      return { files, faults, bounded: true };
    }
    level = next;
  }
  const message = `The folder is more than ${MAX_DEPTH} levels below the skill's folder; it is not listed.`;
  for (const path of level) faults.push({ path, fault: { fault: "FILES_LIMIT", message } });
  return { files, faults, bounded: level.length > 0 };
}

/** `undefined` for a folder inside, which the walk lists itself. */
function behindLink(path: string, dir: string, hold: Hold): Found | Fault | undefined {
  try {
    using held = hold(path, (real) => isInside(real, dir));
    if (held === undefined) return ESCAPE;
    return held.stats.isDirectory() ? undefined : foundIn(held.stats);
  } catch (error) {
    return brokenLink(systemCode(error));
  }
}

const NOT_A_FILE: Fault = { fault: "NOT_REGULAR", message: "It is not a regular file; it is not served." };
const ESCAPE: Fault = {
  fault: "PATH_ESCAPE",
  message: "The link leads outside the skill's folder; it is not served.",
};

function brokenLink(code: string): Fault {
  if (code === "ELOOP") return { fault: "LOOP", message: "The link leads to itself; it is not served." };
  return { fault: "LINK_BROKEN", message: `The link is broken (${code}); fix or remove it.` };
}

function badNames(count: number): Fault {
  const message = `Files in this folder whose names are not valid UTF-8 are not served (${count}).`;
  return { fault: "UNREADABLE", message };
}

function foundIn(stats: Stats): Found {
  return { kind: kindOf(stats), size: stats.size, hardLink: stats.nlink > 1 };
}

function kindOf(entry: Stats): Found["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

const MOVED = ": it was moved or replaced meanwhile";

function notListed(why: string): Fault {
  return { fault: "UNREADABLE", message: `The folder was not listed${why}.` };
}

/** At most `atMost` entries in code unit order, without `unlisted`. */
function listHeld(folder: string, atMost: number, hold: Hold, unlisted: string | undefined) {
  try {
    using held = hold(folder, (real) => real === folder);
    if (held === undefined || !held.stats.isDirectory()) return notListed(MOVED);
    const found = namesIn(held.handle, atMost);
    const entries = found.names
      .filter((name) => name !== unlisted)
      .sort(compareText)
      .flatMap((name) => {
        // Deleted meanwhile: skipped. Replaced: listed as it is now.
        const stats = lstatSync(join(held.handle, name), { throwIfNoEntry: false });
        return stats ? [{ name, ...foundIn(stats) }] : [];
      });
    const seen = found.names.length + found.unreadable;
    return held.isSame() ? { ...found, entries, seen } : notListed(MOVED);
  } catch (error) {
    return notListed(` (${systemCode(error)})`);
  }
}

/** `unreadable`: how many names are not UTF-8, so that nobody can ask for them. */
function namesIn(handle: string, atMost: number): { names: string[]; unreadable: number; more: boolean } {
  const names: string[] = [];
  let unreadable = 0;
  // Read entry by entry: a folder can hold more names than memory should.
  const open = opendirSync(handle, { encoding: "buffer" as BufferEncoding, bufferSize: 1024 });
  // Not with `using`: on older Nodes a folder cannot end itself.
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      if (names.length + unreadable === atMost) return { names, unreadable, more: true };
      const name = entry.name as unknown as Buffer;
      if (isUtf8(name)) names.push(name.toString());
      else unreadable++;
    }
  } finally {
    open.closeSync();
  }
  return { names, unreadable, more: false };
}
