import { lstatSync, realpathSync } from "node:fs";
import { readRegularFile, writeDurably, writeFailure } from "@knack/core/files";
import { visiblePath } from "../terminal/visible.ts";

/**
 * Replaces the bytes of a user's file as a whole, with its mode; answers why it did not. A link, or a file with other names, may belong
 * to somebody else, and a file that has changed since it was read has newer text: they stay.
 */
export function replaceFile(path: string, before: Buffer, after: Buffer): string | undefined {
  const reason = obstacleTo(path, before);
  if (reason !== undefined) return `${visiblePath(path)} was not changed: ${reason}.`;
  const failure = writeDurably(path, lstatSync(path).mode & 0o777, after);
  return failure === undefined ? undefined : writeFailure(visiblePath(path), failure);
}

function obstacleTo(path: string, before: Buffer): string | undefined {
  const now = readRegularFile(path, before.length, false);
  if ("fault" in now && now.fault === "NOT_REGULAR") return `it is ${now.detail}`;
  if ("fault" in now && now.fault === "UNREADABLE") return `it cannot be read (${now.detail})`;
  if ("fault" in now || !now.bytes.equals(before)) return "it has changed in the meantime";
  if (now.stats.nlink > 1) return "it has a second name (a hard link)";
  return realpathSync(path) === path ? undefined : "a link leads to it";
}
