import { closeSync, constants, lstatSync } from "node:fs";
import { join } from "node:path";
import { quote } from "@knack/core/internal/engine";
import { segmentProblem } from "../registry/path-segment.ts";
import { EngineError } from "../shared/engine-error.ts";
import { claim, removeIfThere } from "./claim-name.ts";
import { Folder, PathRefused } from "./folder.ts";
import type { Hashed } from "./hash-file.ts";
import { keepOutOfGit } from "./keep-out-of-git.ts";
import { ownName, TEMPORARY, TEMPORARY_END } from "./own-name.ts";
import { writeBytes } from "./write-bytes.ts";

/** Where files go that somebody uploads for a task. */
const ATTACHED = "workspace/attached/";

export interface ReceivedFile {
  /** The bytes; an iterator that throws leaves no file. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The name of the file, one segment of a path. */
  readonly name: string;
}

/**
 * Writes an uploaded file below `workspace/attached/` and answers its path in the project. A file that is there is never
 * overwritten: with the same bytes it is used, with others the new one gets a suffix. No folder on the way may be a link.
 */
export async function receiveFile(
  projectRoot: string,
  below: readonly string[],
  { bytes, name }: ReceivedFile,
): Promise<string> {
  const problem = segmentProblem(name) ?? (Buffer.byteLength(name) > 200 ? "is too long." : undefined);
  if (problem !== undefined || name.startsWith("."))
    throw new EngineError("INVALID_PARAM", `The file name ${quote(name)} ${problem ?? "begins with a dot."}`);
  const way = [...ATTACHED.split("/").filter(Boolean), ...below];
  const isFirst = !lstatSync(join(projectRoot, ATTACHED), { throwIfNoEntry: false });
  try {
    using folder = Folder.open(projectRoot, way, true);
    if (isFirst) keepOutOfGit(projectRoot, ATTACHED, "files attached to tasks");
    return `${way.join("/")}/${await write(folder, name, bytes)}`;
  } catch (error) {
    if (!(error instanceof PathRefused)) throw error;
    throw new EngineError("CONFLICT", `${way.join("/")} cannot be used: ${error.message}`);
  }
}

async function write(folder: Folder, name: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const temporary = ownName(TEMPORARY, TEMPORARY_END);
  const fd = folder.openFile(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
  try {
    let written: Hashed;
    try {
      written = await writeBytes(bytes, fd);
    } finally {
      closeSync(fd);
    }
    const chosen = await claim(folder, temporary, name, written);
    folder.sync();
    return chosen;
  } finally {
    removeIfThere(folder.at(temporary));
  }
}
