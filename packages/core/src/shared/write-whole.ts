import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { KnackError, systemCode, tryOr } from "./errors.ts";

/** A new file: never one that exists, or that a link leads to. */
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Never seen in part, readable by the user only, not synced. Answers the system's code where it failed. */
export function writeWhole(file: string, ...parts: readonly (string | Uint8Array)[]): string | undefined {
  return write(file, 0o600, false, parts);
}

/** For what a user decided: survives a power cut, which leaves either the old or the new file. */
export function writeDurably(file: string, mode: number, content: string | Uint8Array): string | undefined {
  return write(file, mode, true, [content]);
}

function write(
  file: string,
  mode: number,
  isDurable: boolean,
  parts: readonly (string | Uint8Array)[],
): string | undefined {
  const temporary = `${file}.${process.pid}.${randomUUID()}.tmp`;
  try {
    const first = makeOwnFolder(dirname(file));
    if (first !== undefined && isDurable) syncFolder(dirname(first));
    const descriptor = openSync(temporary, NEW, 0o600);
    try {
      for (const part of parts) {
        const bytes = typeof part === "string" ? Buffer.from(part) : part;
        for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
      }
      // Despite the umask.
      fchmodSync(descriptor, mode);
      if (isDurable) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
    if (isDurable) syncFolder(dirname(file));
    return undefined;
  } catch (error) {
    removeQuietly(temporary);
    return systemCode(error);
  }
}

/**
 * For the user alone, with the folders above; answers the first that was made. One after the other: Node's own way never ends where
 * a folder is there and nothing can be made in it, as in /proc, and names no reason on a read-only disk.
 */
export function makeOwnFolder(folder: string): string | undefined {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    const code = systemCode(error);
    // Throws where it is not a folder.
    if (code === "EEXIST") return mkdirSync(folder, { recursive: true });
    if (code !== "ENOENT" || dirname(folder) === folder) throw error;
  }
  const first = makeOwnFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
    return first ?? folder;
  } catch (error) {
    // Another process was faster.
    if (systemCode(error) === "EEXIST") return first;
    throw error;
  }
}

/** A new name is durable once its folder is synced. */
export function syncFolder(folder: string): void {
  // Windows has no such call for folders, and writes their entries through.
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** What could not be written may not be there to remove either. */
export function removeQuietly(file: string): void {
  tryOr(() => rmSync(file, { force: true }), undefined);
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: "the file system is read-only",
  EACCES: "you have no permission to write there",
  EPERM: "the system does not allow it",
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  ELOOP: "it is a link",
  ENOENT: "its parent folder does not exist and cannot be created",
};

export function writeFailure(file: string, code: string, isInUserFolder = false): string {
  const reason = REASONS[code] ?? "the system refused";
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  const other = isInUserFolder
    ? ", or set KNACK_HOME to a folder that you can write to."
    : ", then try again.";
  const step = isFull ? "Free some space, then try again." : `Make it writable${other}`;
  return `${file} cannot be written: ${reason} (${code}). ${step}`;
}

export function writeError(file: string, code: string, isInUserFolder = false): KnackError {
  return new KnackError("CONFIG_INVALID", writeFailure(file, code, isInUserFolder));
}
