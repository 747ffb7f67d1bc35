import { join } from "node:path";
import type { Fault } from "../../shared/diagnostics.ts";
import { systemCode } from "../../shared/errors.ts";
import { isInside } from "../../shared/paths.ts";
import type { Hold } from "./held.ts";
import { type FolderEntry, listHeld } from "./list-held.ts";

/** Not files of a skill, wherever they are. */
const SKIPPED = new Set([".git", "node_modules"]);
const MAX_ENTRIES = 10_000;
const MAX_DEPTH = 32;

export interface FoundFile {
  readonly path: string;
  readonly size: number;
  /** It has other hard links, which may be outside the folder. */
  readonly hardLink: boolean;
}

export interface PlacedFault {
  readonly path: string;
  readonly fault: Fault;
}

interface Walk {
  readonly files: FoundFile[];
  readonly faults: PlacedFault[];
  /** Whether a limit stopped the walk early; a fault says which. */
  readonly bounded: boolean;
}

/**
 * Every regular file in a canonical folder, except its `SKILL.md`. Level by level, so that a bound cuts off what is
 * deepest. Only a folder that is at its own place when it is opened is listed, so no name comes from outside.
 */
export function walkFiles(dir: string, hold: Hold, except: ReadonlySet<string> = new Set()): Walk {
  const files: FoundFile[] = [];
  const faults: PlacedFault[] = [];
  let room = MAX_ENTRIES;
  let depth = 0;
  let level = [dir];
  for (; level.length > 0 && depth <= MAX_DEPTH; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      const listing = listHeld(folder, room, hold);
      if ("fault" in listing) {
        faults.push({ path: folder, fault: listing });
        continue;
      }
      room -= listing.seen;
      for (const entry of listing.entries) {
        const path = join(folder, entry.name);
        if (SKIPPED.has(entry.name) || except.has(path)) continue;
        if (entry.kind === "folder") next.push(path);
        else if (path !== join(dir, "SKILL.md")) {
          const found = entry.kind === "link" ? behindLink(path, dir, hold) : asFile(path, entry);
          if (found && "fault" in found) faults.push(found);
          else if (found) files.push(found);
        }
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

function asFile(path: string, entry: FolderEntry): FoundFile | PlacedFault {
  if (entry.kind === "file") return { path, size: entry.size, hardLink: entry.hardLink };
  return { path, fault: NOT_A_FILE };
}

/** What a link leads to: a file in the folder, or why it is not listed; `undefined` for a folder in it. */
function behindLink(path: string, dir: string, hold: Hold): FoundFile | PlacedFault | undefined {
  try {
    using held = hold(path, (real) => isInside(real, dir));
    if (held === undefined) return { path, fault: ESCAPE };
    // The walk lists the target folder at its real path.
    if (held.stats.isDirectory()) return undefined;
    if (!held.stats.isFile()) return { path, fault: NOT_A_FILE };
    return { path, size: held.stats.size, hardLink: held.stats.nlink > 1 };
  } catch (error) {
    return { path, fault: brokenLink(systemCode(error)) };
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
  const message = `${count} names in this folder are not valid UTF-8, so those files are not served.`;
  return { fault: "UNREADABLE", message };
}
