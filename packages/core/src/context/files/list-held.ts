import { isUtf8 } from "node:buffer";
import { type Dirent, lstatSync, opendirSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../../shared/diagnostics.ts";
import { systemCode } from "../../shared/errors.ts";
import type { Hold } from "./held.ts";

export type FolderEntry =
  | { readonly name: string; readonly kind: "folder" | "link" | "other" }
  | { readonly name: string; readonly kind: "file"; readonly size: number; readonly hardLink: boolean };

interface FolderListing {
  /** In code unit order. */
  readonly entries: FolderEntry[];
  /** How many names were read. */
  readonly seen: number;
  /** How many names are not UTF-8 and so cannot be requested. */
  readonly unreadable: number;
  /** There are more than the limit; the operating system decides which ones are listed. */
  readonly more: boolean;
}

/** What is in the folder at exactly this canonical path, at most so many entries. */
export function listHeld(folder: string, atMost: number, hold: Hold): FolderListing | Fault {
  try {
    using held = hold(folder, (real) => real === folder);
    if (held === undefined || !held.stats.isDirectory()) return MOVED;
    const found = namesIn(held.handle, atMost);
    const entries = found.entries
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((entry) => withSize(entry, held.handle))
      .filter((entry) => entry !== undefined);
    const seen = found.entries.length + found.unreadable;
    return held.isSame() ? { ...found, entries, seen } : MOVED;
  } catch (error) {
    return { fault: "UNREADABLE", message: `The folder was not listed (${systemCode(error)}).` };
  }
}

const MOVED: Fault = {
  fault: "UNREADABLE",
  message: "The folder was not listed: it was moved or replaced meanwhile.",
};

interface Named {
  readonly name: string;
  readonly kind: "folder" | "link" | "file" | "other";
}

function namesIn(handle: string, atMost: number): { entries: Named[]; unreadable: number; more: boolean } {
  const entries: Named[] = [];
  let unreadable = 0;
  // Read entry by entry: a folder can hold more names than memory should.
  using open = opendirSync(handle, { encoding: "buffer" as BufferEncoding, bufferSize: 1024 });
  for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
    if (entries.length + unreadable === atMost) return { entries, unreadable, more: true };
    const name = entry.name as unknown as Buffer;
    if (isUtf8(name)) entries.push({ name: name.toString(), kind: kindOf(entry) });
    else unreadable++;
  }
  return { entries, unreadable, more: false };
}

function kindOf(entry: Dirent): Named["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

/** An entry that was deleted meanwhile is skipped; one that was replaced is listed as it is now. */
function withSize({ name, kind }: Named, handle: string): FolderEntry | undefined {
  if (kind !== "file") return { name, kind };
  const stats = lstatSync(join(handle, name), { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) return { name, kind: stats.isSymbolicLink() ? "link" : "other" };
  return { name, kind, size: stats.size, hardLink: stats.nlink > 1 };
}
