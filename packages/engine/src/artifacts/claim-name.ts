import { closeSync, constants, fstatSync, fsyncSync, linkSync, unlinkSync } from "node:fs";
import { parse } from "node:path";
import { systemCode } from "@knack/core/internal/engine";
import { type Folder, PathRefused } from "./folder.ts";
import { type Hashed, hashFile } from "./hash-file.ts";

export const MAX_SUFFIX = 10_000;

/**
 * The first of name, name-2, name-3, … that is free or has these bytes. A link fails where the name is taken; `isTaken` knows
 * of names that are taken elsewhere.
 */
export async function claim(
  folder: Folder,
  temporary: string,
  name: string,
  copied: Hashed,
  isTaken: (name: string) => Promise<boolean> = async () => false,
): Promise<string> {
  const { name: stem, ext } = parse(name);
  for (let number = 1; number <= MAX_SUFFIX; number++) {
    const candidate = number === 1 ? name : `${stem}-${number}${ext}`;
    if (await isTaken(candidate)) continue;
    try {
      linkSync(folder.at(temporary), folder.at(candidate));
      return candidate;
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
    }
    if (await hasBytes(folder, candidate, copied)) return candidate;
  }
  throw new PathRefused(`${MAX_SUFFIX} different files have this name already; remove some.`);
}

/** Whether the file of this name has these bytes. */
export async function hasBytes(folder: Folder, name: string, wanted: Hashed): Promise<boolean> {
  const fd = folder.openFile(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new PathRefused(`"${name}" exists and is not a file.`);
    if (stats.size !== wanted.size || (await hashFile(fd)).sha256 !== wanted.sha256) return false;
    // Its writer may not have synced it.
    fsyncSync(fd);
    return true;
  } finally {
    closeSync(fd);
  }
}

export function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // It was renamed to its place.
    if (systemCode(error) !== "ENOENT") throw error;
  }
}
