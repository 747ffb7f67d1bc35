import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
} from "node:fs";
import { systemCode, tryOr } from "./errors.ts";

export interface FileFault {
  readonly fault: "TOO_LARGE" | "NOT_REGULAR" | "UNREADABLE";
  /** What it is instead, its size, or the system's code. */
  readonly detail: string;
  readonly stats?: Stats;
}

export function isAbsent({ detail }: FileFault): boolean {
  return detail === "ENOENT" || detail === "ENOTDIR";
}

/** To follow the file's name in a sentence. */
export function faultText({ fault, detail }: FileFault, maxBytes: number): string {
  if (fault === "TOO_LARGE") return `has ${detail} bytes; at most ${maxBytes} are read`;
  return fault === "NOT_REGULAR" ? `is ${detail}, not a file` : `cannot be read (${detail})`;
}

export interface FileContent {
  readonly stats: Stats;
  readonly bytes: Buffer;
}

/** Shared by all reads; grows to the largest limit. */
let scratch = Buffer.alloc(0);

/** Through one descriptor, so what was checked is what is read. No FIFO blocks, no device floods; links only if `followLink`. */
export function readRegularFile(
  path: string,
  maxBytes: number,
  followLink: boolean,
): FileContent | FileFault {
  const content = peekRegularFile(path, maxBytes, followLink);
  return "fault" in content ? content : { ...content, bytes: Buffer.from(content.bytes) };
}

/** Without a copy: the bytes change with the next read of any file. */
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
  // What stands there says more than ENXIO (a socket) or ELOOP (a link).
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

/** Sorted; none where there is no such folder, or it cannot be read. */
export function namesIn(folder: string): string[] {
  return tryOr(() => readdirSync(folder).sort(), []);
}
