import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "./errors.ts";

/** A new file of this name alone: neither one that is there nor one that a link leads to. */
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Writes a file so that nobody ever sees a part of it: under another name first, then renamed. Only the user can read
 * it. Answers the system's code where that was not possible. It is not synced: for what can be made again.
 */
export function writeWhole(file: string, ...parts: readonly (string | Uint8Array)[]): string | undefined {
  return write(file, 0o600, false, parts);
}

/**
 * The same for what a user decided: when it answers, the bytes and the name survive a power cut. A power cut in between
 * leaves what was there before.
 */
export function writeDurably(
  file: string,
  mode: number,
  ...parts: readonly (string | Uint8Array)[]
): string | undefined {
  return write(file, mode, true, parts);
}

function write(
  file: string,
  mode: number,
  isDurable: boolean,
  parts: readonly (string | Uint8Array)[],
): string | undefined {
  const temporary = `${file}.${process.pid}.${randomUUID()}.tmp`;
  try {
    makeFolderFor(file, isDurable);
    const descriptor = openSync(temporary, NEW, 0o600);
    try {
      for (const part of parts) writeAll(descriptor, typeof part === "string" ? Buffer.from(part) : part);
      if (isDurable) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (mode !== 0o600) chmodSync(temporary, mode);
    renameSync(temporary, file);
    if (isDurable) syncFolder(dirname(file));
    return undefined;
  } catch (error) {
    removeQuietly(temporary);
    return systemCode(error);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}

function makeFolderFor(file: string, isDurable: boolean): void {
  const folder = dirname(file);
  let first: string | undefined;
  try {
    first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw plainFailure(error, folder);
  }
  if (first !== undefined && isDurable) syncFolder(dirname(first));
}

/** Node says ENOENT of a folder that cannot be made on a read-only disk; made one by one, the system says why. */
function plainFailure(error: unknown, folder: string): unknown {
  if (systemCode(error) !== "ENOENT") return error;
  try {
    const parent = dirname(folder);
    if (parent !== folder) mkdirSync(parent, { recursive: true, mode: 0o700 });
    mkdirSync(folder, { mode: 0o700 });
    return error;
  } catch (inner) {
    const code = systemCode(inner);
    return code === "ENOENT" && dirname(folder) !== folder ? plainFailure(inner, dirname(folder)) : inner;
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
  try {
    rmSync(file, { force: true });
  } catch (error) {
    systemCode(error);
  }
}
