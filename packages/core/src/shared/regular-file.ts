import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { systemCode } from "./errors.ts";

/** Why a file was not read. */
export interface FileFault {
  readonly fault: "TOO_LARGE" | "NOT_REGULAR" | "UNREADABLE";
  /** What it is instead, its size, or the system's code. */
  readonly detail: string;
  readonly stats?: Stats;
}

/** Whether there is nothing at all. */
export function isAbsent({ detail }: FileFault): boolean {
  return detail === "ENOENT" || detail === "ENOTDIR";
}

/** Why a file was not read, as what follows its name in a sentence. */
export function faultText({ fault, detail }: FileFault, maxBytes: number): string {
  if (fault === "TOO_LARGE") return `has ${detail} bytes; at most ${maxBytes} are read`;
  return fault === "NOT_REGULAR" ? `is ${detail}, not a file` : `cannot be read (${detail})`;
}

export interface FileContent {
  readonly stats: Stats;
  readonly bytes: Buffer;
}

/** Memory for one read after the other; it grows to the largest limit that was asked for. */
let scratch = Buffer.alloc(0);

/**
 * Reads a regular file of bounded size through one descriptor, so that what was checked is what is read. A FIFO never
 * blocks, a device never floods. A link is refused unless `followLink`: the catalog has resolved those it may follow.
 */
export function readRegularFile(
  path: string,
  maxBytes: number,
  followLink: boolean,
): FileContent | FileFault {
  const content = peekRegularFile(path, maxBytes, followLink);
  return "fault" in content ? content : { ...content, bytes: Buffer.from(content.bytes) };
}

/** The same without a copy, for thousands of files of which no bytes are kept: they change with the next read of any file. */
export function peekRegularFile(
  path: string,
  maxBytes: number,
  followLink: boolean,
): FileContent | FileFault {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (followLink ? 0 : constants.O_NOFOLLOW));
  } catch (error) {
    return openFault(path, systemCode(error));
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return { fault: "NOT_REGULAR", detail: kindOf(stats), stats };
    if (stats.size > maxBytes) return { fault: "TOO_LARGE", detail: String(stats.size), stats };
    if (scratch.length <= maxBytes) scratch = Buffer.allocUnsafeSlow(maxBytes + 1);
    let length = 0;
    // A file may grow while it is read; a byte more than the limit shows that it did.
    while (length <= maxBytes) {
      const read = readSync(fd, scratch, length, maxBytes + 1 - length, length);
      length += read;
      if (read === 0 || length === stats.size) break;
    }
    return { stats, bytes: scratch.subarray(0, length) };
  } catch (error) {
    return { fault: "UNREADABLE", detail: systemCode(error) };
  } finally {
    closeSync(fd);
  }
}

function openFault(path: string, code: string): FileFault {
  // A socket cannot be opened (ENXIO), a link is refused (ELOOP): what it is says more than the code.
  const stats = code === "ENXIO" || code === "ELOOP" ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  if (stats && !stats.isFile()) return { fault: "NOT_REGULAR", detail: kindOf(stats), stats };
  return { fault: "UNREADABLE", detail: code };
}

export function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  if (stats.isSymbolicLink()) return "a symbolic link";
  if (stats.isFile()) return "a regular file";
  return "a device";
}
