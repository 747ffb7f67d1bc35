import { createHash } from "node:crypto";
import { closeSync, fstatSync, readSync, type Stats } from "node:fs";
import { basename } from "node:path";
import type { Validation } from "../../shared/diagnostics.ts";
import { systemCode } from "../../shared/errors.ts";
import { isInside } from "../../shared/paths.ts";
import { quote } from "../../shared/quote.ts";
import { cutText } from "./binary.ts";
import type { Hold } from "./held.ts";
import { hold } from "./hold.ts";
import { type FileRefusal, systemRefusal } from "./refusal.ts";
import { folderRefusal, requestedPath } from "./requested-path.ts";

/** The result of one read of a file: bytes, digest and time stamps belong together. */
export interface Content {
  /** The real path, links resolved: the requested path does not show which folder the file is in. */
  readonly real: string;
  readonly bytes: Buffer;
  /** Of the whole file. */
  readonly size: number;
  /** The file is longer than `bytes`. Text is cut between two characters. */
  readonly truncated: boolean;
  /** Of the whole file, so absent if only a part was read. */
  readonly sha256?: string;
  readonly stats: Stats;
}

export interface ReadLimits {
  readonly maxBytes: number;
  readonly validation: Validation;
}

/**
 * A file of a skill, by its path from the skill's canonical folder `dir`. No byte of a file outside that folder is ever
 * served, whatever is swapped meanwhile; a link that stays inside is followed. A hard link may lead to a file outside,
 * which cannot be detected, so strict validation refuses it.
 */
export function readContained(
  dir: string,
  file: string,
  limits: ReadLimits,
  holding: Hold = hold,
): Content | FileRefusal {
  const path = requestedPath(dir, file);
  if (typeof path !== "string") return path;
  const outside = `${quote(file)} leaves the skill's folder through a link; only files in the folder are served.`;
  return read(path, file, {
    isAllowed: (real) => isInside(real, dir),
    outside,
    maxBytes: limits.maxBytes,
    hardLinks: limits.validation === "lenient",
    holding,
  });
}

/**
 * A skill's `SKILL.md` at exactly the place where the catalog found it: `source` is a canonical path, of a link its target.
 * `inside` is the canonical folder that it has to be in, or null where the catalog let a link lead elsewhere.
 */
export function readSkillBytes(
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
    if (held === undefined) return { refusal: "ACCESS_DENIED", message: rules.outside };
    if (held.stats.isDirectory()) return folderRefusal(file);
    if (!held.stats.isFile()) {
      const message = `${quote(file)} is ${kindOf(held.stats)}, not a regular file; it has no content to serve.`;
      return { refusal: "NOT_REGULAR", message };
    }
    if (held.stats.nlink > 1 && !rules.hardLinks) {
      const message = `${quote(file)} is a hard link, so it may be a file from outside the skill's folder; it is not served under strict validation. Replace it with a copy.`;
      return { refusal: "ACCESS_DENIED", message };
    }
    const fd = held.open();
    if (fd === undefined) return { refusal: "ACCESS_DENIED", message: rules.outside };
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
  // Reading one byte more than the limit shows whether there is more; a file may also grow while it is read.
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
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { bytes, size: length, truncated: false, sha256, stats };
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return "a named pipe";
  return stats.isSocket() ? "a socket" : "a device";
}
