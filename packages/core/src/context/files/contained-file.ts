import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { closeSync, fstatSync, readSync, type Stats } from "node:fs";
import { basename, isAbsolute, resolve } from "node:path";
import type { Validation } from "../../shared/diagnostics.ts";
import { systemCode } from "../../shared/errors.ts";
import { isInside } from "../../shared/paths.ts";
import { quote } from "../../shared/quote.ts";
import { kindOf } from "../../shared/regular-file.ts";
import { characterStart } from "../blocks/parts.ts";
import { type Hold, hold } from "./hold.ts";

/** From one read: bytes, digest and time stamps belong together. */
export interface Content {
  /** With links resolved: it shows whose folder the file is in. */
  readonly real: string;
  readonly bytes: Buffer;
  readonly size: number;
  /** The file is longer than `bytes`. Text is cut between two characters. */
  readonly truncated: boolean;
  /** Absent if only a part was read. */
  readonly sha256?: string;
  /** Absent for a file that is not on the disk. */
  readonly stats?: Stats;
}

/**
 * No byte from outside the canonical folder `dir` is served, whatever is swapped meanwhile; links that stay inside are
 * followed. A hard link may lead outside undetected, so strict validation refuses it.
 */
export function readContained(
  dir: string,
  file: string,
  { maxBytes, validation }: { readonly maxBytes: number; readonly validation: Validation },
  holding: Hold = hold,
): Content | FileRefusal {
  const path = requestedPath(dir, file);
  if (typeof path !== "string") return path;
  const outside = `${quote(file)} leaves the skill's folder through a link; only files in the folder are served.`;
  return read(path, file, {
    isAllowed: (real) => isInside(real, dir),
    outside,
    maxBytes,
    hardLinks: validation === "lenient",
    holding,
  });
}

/** A `SKILL.md` exactly where the catalog found it. `inside`: its canonical folder, or null where a link may lead elsewhere. */
export function readFoundSkill(
  source: string,
  inside: string | null,
  maxBytes: number,
  holding: Hold = hold,
): Content | FileRefusal {
  const outside = `${quote(source)} is no longer where the catalog found it; reload the skills and try again.`;
  return read(source, basename(source), {
    isAllowed: (real) => real === source && (inside === null || isInside(real, inside)),
    outside,
    maxBytes,
    hardLinks: true,
    holding,
  });
}

interface Rules {
  readonly isAllowed: (real: string) => boolean;
  readonly outside: string;
  readonly maxBytes: number;
  readonly hardLinks: boolean;
  readonly holding: Hold;
}

function read(path: string, file: string, rules: Rules): Content | FileRefusal {
  let real = "";
  try {
    using held = rules.holding(path, (found) => {
      real = found;
      return rules.isAllowed(found);
    });
    if (held === undefined) return no("ACCESS_DENIED", rules.outside);
    if (held.stats.isDirectory()) return folderRefusal(file);
    if (!held.stats.isFile())
      return no(
        "NOT_REGULAR",
        `${quote(file)} is ${kindOf(held.stats)}, not a regular file; it has no content to serve.`,
      );
    if (held.stats.nlink > 1 && !rules.hardLinks)
      return no(
        "ACCESS_DENIED",
        `${quote(file)} is a hard link, so it may be a file from outside the skill's folder; it is not served under strict validation. Replace it with a copy.`,
      );
    const fd = held.open();
    if (fd === undefined) return no("ACCESS_DENIED", rules.outside);
    try {
      return { real, ...readBounded(fd, rules.maxBytes) };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return systemRefusal(systemCode(error), file);
  }
}

const CHUNK = 64 * 1024;

function readBounded(fd: number, maxBytes: number): Omit<Content, "real"> {
  const stats = fstatSync(fd);
  const chunks: Buffer[] = [];
  let length = 0;
  // One byte more than the limit shows whether there is more.
  for (let wanted = maxBytes + 1; wanted > 0; wanted = maxBytes + 1 - length) {
    const chunk = Buffer.allocUnsafeSlow(Math.min(wanted, Math.max(CHUNK, stats.size + 1 - length)));
    const got = readSync(fd, chunk, 0, chunk.length, null);
    if (got === 0) break;
    chunks.push(chunk.subarray(0, got));
    length += got;
  }
  const size = Math.max(stats.size, length);
  const bytes = Buffer.concat(chunks);
  if (length > maxBytes) return { bytes: cutText(bytes, maxBytes), size, truncated: true, stats };
  const sha256 = hash("sha256", bytes);
  return { bytes, size: length, truncated: false, sha256, stats };
}

/**
 * `..` is refused even where it stays inside: with links on the way, the system and a reader disagree on it. A backslash is a
 * separator on every system.
 */
function requestedPath(dir: string, file: string): string | FileRefusal {
  const name = quote(file);
  if (file === "")
    return no("NOT_FOUND", "The file name is empty; use a path from the skill's list of files.");
  if (file.includes("\0"))
    return no(
      "NOT_FOUND",
      `${name} has a NUL character in it, which no file name can have; use a path from the skill's list of files.`,
    );
  const segments = file.split(/[/\\]/);
  if (segments.includes(".."))
    return no(
      "ACCESS_DENIED",
      `${name} has ".." in it; name a file by its path from the skill's folder, without "..".`,
    );
  const path = resolve(dir, file);
  // A path may be relative to a drive, and so neither absolute nor in the folder.
  if (!isInside(path, dir))
    return no(
      "ACCESS_DENIED",
      `${name} is outside the skill's folder ${dir}; only files in it are served. Use a path from its list of files.`,
    );
  const last = isAbsolute(file) && path === dir ? "." : segments.at(-1);
  if (last === "" || last === ".") return folderRefusal(file);
  return path;
}

function folderRefusal(file: string): FileRefusal {
  return no(
    "IS_DIRECTORY",
    `${quote(file)} is a folder; ask for a file in it, from the skill's list of files.`,
  );
}

export interface FileRefusal {
  readonly refusal:
    | "NOT_FOUND"
    | "ACCESS_DENIED"
    | "IS_DIRECTORY"
    | "NOT_REGULAR"
    | "PERMISSION_DENIED"
    | "EXECUTION_ERROR";
  readonly message: string;
}

function no(refusal: FileRefusal["refusal"], message: string): FileRefusal {
  return { refusal, message };
}

function systemRefusal(code: string, file: string): FileRefusal {
  const name = quote(file);
  // A file cannot exist if its name is too long, or if its parent is a file.
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") {
    const hint = file.includes("\\") ? ' Folders are separated by "/".' : "";
    return no(
      "NOT_FOUND",
      `There is no file ${name} in the skill's folder.${hint} Use a path from the skill's list of files.`,
    );
  }
  if (code === "ELOOP")
    return no(
      "NOT_FOUND",
      `${name} is a link that leads to itself; it has no content. Use another path from the skill's list of files.`,
    );
  if (code === "EACCES" || code === "EPERM")
    return no("PERMISSION_DENIED", `Permission denied: ${name} cannot be read (${code}). Make it readable.`);
  return no("EXECUTION_ERROR", `${name} could not be read (${code}); try again.`);
}

export function isBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0) || !isUtf8(bytes);
}

/** Up to three bytes fewer, so that a text ends with a whole character. */
function cutText(bytes: Buffer, length: number): Buffer {
  const start = characterStart(bytes, length);
  const first = bytes[start] ?? 0;
  // Only the first byte of a longer character can stand there.
  const isText =
    (start === length || (first >= 0xc2 && first <= 0xf4)) && !isBinary(bytes.subarray(0, start));
  return bytes.subarray(0, isText ? start : length);
}
