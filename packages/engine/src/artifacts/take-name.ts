import { randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  unlinkSync,
} from "node:fs";
import { parse } from "node:path";
import { systemCode } from "@knack/core/files";
import { KnackError } from "@knack/core/text";
import type { Folder } from "./folder.ts";
import { type Hashed, hashFile } from "./hash-file.ts";

const MAX_SUFFIX = 10_000;

/** The first of name, name-2, name-3, … that is free or has these bytes. `isTaken`: other machines have that name. */
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
    if (linkIfFree(folder, temporary, candidate) || (await hasBytes(folder, candidate, copied)))
      return candidate;
  }
  throw new KnackError("CONFLICT", `${MAX_SUFFIX} different files have this name already; remove some.`);
}

function linkIfFree(folder: Folder, from: string, to: string): boolean {
  try {
    linkSync(folder.at(from), folder.at(to));
    return true;
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    return false;
  }
}

/** Gives a file this name unless it is taken; `false` where something else has it: another file, a folder, a link. */
export async function linkOrSame(
  folder: Folder,
  temporary: string,
  name: string,
  copied: Hashed,
): Promise<boolean> {
  if (linkIfFree(folder, temporary, name)) return true;
  if (!lstatSync(folder.at(name), { throwIfNoEntry: false })?.isFile()) return false;
  try {
    return await hasBytes(folder, name, copied);
  } catch (error) {
    // It was replaced in the meantime or cannot be read, so it is not ours.
    systemCode(error);
    return false;
  }
}

async function hasBytes(folder: Folder, name: string, wanted: Hashed): Promise<boolean> {
  const fd = folder.openToRead(name);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new KnackError("CONFLICT", `"${name}" exists and is not a file.`);
    if (stats.size !== wanted.size || (await hashFile(fd)).sha256 !== wanted.sha256) return false;
    // Its writer may not have synced it.
    fsyncSync(fd);
    return true;
  } finally {
    closeSync(fd);
  }
}

/**
 * Moves an artifact that a user edited to `report.edited-1.md` beside it; `undefined` if nothing was there any more. First to
 * an unguessable name of the same form: a rename would overwrite a file, and a kill in between loses nothing.
 */
function keepBeside(folder: Folder, name: string): string | undefined {
  const { name: stem, ext } = parse(name);
  const first = `${stem}.edited-${randomBytes(8).toString("hex")}${ext}`;
  try {
    renameSync(folder.at(name), folder.at(first));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
  for (let number = 1; number <= MAX_SUFFIX; number++) {
    const kept = `${stem}.edited-${number}${ext}`;
    if (!moveToFree(folder, first, kept)) continue;
    syncFile(folder, kept);
    folder.sync();
    return kept;
  }
  throw new KnackError("CONFLICT", `${MAX_SUFFIX} edited copies of this file exist already; remove some.`);
}

/** Fails where the name is taken: a link does, and so does making a folder, which a renamed folder may then replace. */
function moveToFree(folder: Folder, from: string, to: string): boolean {
  if (!lstatSync(folder.at(from)).isDirectory()) {
    if (!linkIfFree(folder, from, to)) return false;
    unlinkSync(folder.at(from));
    return true;
  }
  try {
    mkdirSync(folder.at(to));
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
  renameSync(folder.at(from), folder.at(to));
  return true;
}

/** A user's editor may not have synced it. */
function syncFile(folder: Folder, name: string): void {
  if (!lstatSync(folder.at(name)).isFile()) return;
  let fd: number;
  try {
    fd = folder.openToRead(name);
  } catch (error) {
    // A file that may not be read cannot be synced alone; its name is.
    if (systemCode(error) === "EACCES") return;
    throw error;
  }
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Puts the file at exactly this name. It is only taken while it is free: what a user saves there meanwhile is kept. */
export async function replace(
  folder: Folder,
  temporary: string,
  name: string,
  copied: Hashed,
): Promise<string[]> {
  const kept: string[] = [];
  for (let round = 0; round < MAX_SUFFIX; round++) {
    if (await linkOrSame(folder, temporary, name, copied)) return kept;
    const moved = keepBeside(folder, name);
    if (moved !== undefined) kept.push(moved);
  }
  throw new KnackError("CONFLICT", `Another program keeps writing "${name}".`);
}
