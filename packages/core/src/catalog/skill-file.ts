import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import type { Fault } from "../diagnostics.ts";
import { systemCode } from "../errors.ts";

/** A `SKILL.md` is text for a model's context; the largest of 8,000 real ones has 294,426 bytes. */
const MAX_SKILL_BYTES = 1024 * 1024;

/** One buffer for every read: a catalog reads one file at a time and keeps only what it parsed from it. */
let shared: Buffer | undefined;

export interface FileContent {
  readonly stats: Stats;
  /** Valid until the next call. */
  readonly bytes: Buffer;
}

/**
 * Reads a regular file of bounded size through one descriptor, so that what was checked is what is read. A link
 * is refused, because the caller has resolved those it may follow; a FIFO never blocks.
 */
export function readSkillFile(path: string): FileContent | (Fault & { readonly stats?: Stats }) {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    return openFault(path, systemCode(error));
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return { ...notRegular(stats), stats };
    if (stats.size > MAX_SKILL_BYTES) {
      const message = `The file has ${stats.size} bytes; at most ${MAX_SKILL_BYTES} are read. Move the bulk into references/.`;
      return { fault: "TOO_LARGE", message, stats };
    }
    shared ??= Buffer.allocUnsafeSlow(MAX_SKILL_BYTES + 1);
    let length = 0;
    // A file may grow while it is read; a byte more than the limit shows that it did.
    while (length < shared.length) {
      const read = readSync(fd, shared, length, shared.length - length, length);
      length += read;
      if (read === 0 || length === stats.size) break;
    }
    return { stats, bytes: shared.subarray(0, length) };
  } catch (error) {
    return { fault: "UNREADABLE", message: `The file cannot be read (${systemCode(error)}).` };
  } finally {
    closeSync(fd);
  }
}

function openFault(path: string, code: string): Fault & { readonly stats?: Stats } {
  // A socket cannot be opened (ENXIO), a link is refused (ELOOP): what it is says more than the code.
  const stats = code === "ENXIO" || code === "ELOOP" ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  if (stats && !stats.isFile()) return { ...notRegular(stats), stats };
  const hint = code === "EACCES" || code === "EPERM" ? "; give yourself the right to read it" : "";
  return { fault: "UNREADABLE", message: `The file cannot be read (${code})${hint}.` };
}

function notRegular(stats: Stats): Fault {
  let kind = "a device";
  if (stats.isDirectory()) kind = "a folder";
  else if (stats.isFIFO()) kind = "a named pipe";
  else if (stats.isSocket()) kind = "a socket";
  else if (stats.isSymbolicLink()) kind = "a symbolic link";
  return { fault: "NOT_REGULAR", message: `SKILL.md is ${kind}, not a regular file.` };
}
