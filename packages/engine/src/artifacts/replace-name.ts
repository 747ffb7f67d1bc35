import { linkSync, lstatSync } from "node:fs";
import { systemCode } from "@knack/core/internal/engine";
import { hasBytes, MAX_SUFFIX } from "./claim-name.ts";
import { type Folder, PathRefused } from "./folder.ts";
import type { Hashed } from "./hash-file.ts";
import { keepBeside } from "./keep-beside.ts";

/**
 * Puts the file at exactly this name. The name is only ever taken while it is free, so a file that a user saves there at
 * any moment, also between two steps, is kept and not written over.
 */
export async function replace(
  folder: Folder,
  temporary: string,
  name: string,
  copied: Hashed,
): Promise<{ chosen: string; kept: string[] }> {
  const kept: string[] = [];
  for (let round = 0; round < MAX_SUFFIX; round++) {
    try {
      linkSync(folder.at(temporary), folder.at(name));
      return { chosen: name, kept };
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
    }
    if (await isFileWith(folder, name, copied)) return { chosen: name, kept };
    const moved = keepBeside(folder, name);
    if (moved !== undefined) kept.push(moved);
  }
  throw new PathRefused(`Another program keeps writing "${name}".`);
}

/** The same where a folder, a link or nothing at all may be there. */
export async function isFileWith(folder: Folder, name: string, wanted: Hashed): Promise<boolean> {
  if (!lstatSync(folder.at(name), { throwIfNoEntry: false })?.isFile()) return false;
  try {
    return await hasBytes(folder, name, wanted);
  } catch (error) {
    // It was replaced in the meantime or cannot be read, so it is not ours.
    if (error instanceof PathRefused || systemCode(error) !== undefined) return false;
    throw error;
  }
}
