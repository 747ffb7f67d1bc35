import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  unlinkSync,
} from "node:fs";
import { parse } from "node:path";
import { systemCode } from "@knack/core/internal/engine";
import { type Folder, PathRefused } from "./folder.ts";

const MAX_NUMBER = 10_000;

/**
 * Moves an artifact that a user edited to a free name beside it: `report.edited-1.md`. Returns that name, or `undefined`
 * if nothing was there any more.
 *
 * It moves to an unguessable name first, because a rename would overwrite an existing file. That name has the same form, so
 * nothing is lost if the process is killed in between.
 */
export function keepBeside(folder: Folder, name: string): string | undefined {
  const { name: stem, ext } = parse(name);
  const first = `${stem}.edited-${randomBytes(8).toString("hex")}${ext}`;
  try {
    renameSync(folder.at(name), folder.at(first));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
  for (let number = 1; number <= MAX_NUMBER; number++) {
    const kept = `${stem}.edited-${number}${ext}`;
    if (!moveToFree(folder, first, kept)) continue;
    syncFile(folder, kept);
    folder.sync();
    return kept;
  }
  throw new PathRefused(`${MAX_NUMBER} edited copies of this file exist already; remove some.`);
}

/** Fails where the name is taken: a link does, and so does making a folder, which a renamed folder may then replace. */
function moveToFree(folder: Folder, from: string, to: string): boolean {
  try {
    if (lstatSync(folder.at(from)).isDirectory()) {
      mkdirSync(folder.at(to));
      renameSync(folder.at(from), folder.at(to));
    } else {
      linkSync(folder.at(from), folder.at(to));
      unlinkSync(folder.at(from));
    }
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** A user's editor may not have synced it. */
function syncFile(folder: Folder, name: string): void {
  if (!lstatSync(folder.at(name)).isFile()) return;
  let fd: number;
  try {
    fd = folder.openFile(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
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
