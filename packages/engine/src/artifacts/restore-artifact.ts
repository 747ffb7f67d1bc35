import { closeSync, constants, linkSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "@knack/core/internal/engine";
import { segmentProblem } from "../registry/path-segment.ts";
import { ARTIFACTS } from "../registry/path-template.ts";
import { removeIfThere } from "./claim-name.ts";
import { Folder, PathRefused } from "./folder.ts";
import type { Hashed } from "./hash-file.ts";
import { keepOutOfGit } from "./keep-out-of-git.ts";
import type { Leftovers } from "./leftovers.ts";
import { ownName, TEMPORARY, TEMPORARY_END } from "./own-name.ts";
import { isFileWith, replace } from "./replace-name.ts";
import { writeBytes } from "./write-bytes.ts";

export interface RestoreRequest {
  readonly projectRoot: string;
  /** As it was recorded, relative to the project. */
  readonly path: string;
  readonly sha256: string;
  /** Whether a changed file there is kept beside and the recorded one takes its place. */
  readonly replace: boolean;
  readonly leftovers?: Leftovers | undefined;
}

/** `refused`: something else is in its place, or the path is not one of an artifact. `wrong`: these were not its bytes. */
export type Restored =
  | { readonly state: "restored"; readonly kept: readonly string[] }
  | { readonly state: "refused" | "wrong" };

/** Writes a recorded artifact to exactly its path. No file that is there is overwritten, and no link is followed. */
export async function restoreArtifact(
  request: RestoreRequest,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Restored> {
  const { projectRoot, path } = request;
  const way = path.split("/");
  // The record may have been written on another machine.
  if (!path.startsWith(ARTIFACTS) || way.some(segmentProblem)) return { state: "refused" };
  const name = way.pop() ?? "";
  try {
    const isFirst = !lstatSync(join(projectRoot, ARTIFACTS), { throwIfNoEntry: false });
    using folder = Folder.open(projectRoot, way, true);
    if (isFirst) keepOutOfGit(projectRoot, ARTIFACTS, "artifacts of runs");
    await request.leftovers?.sweepOnce(folder.at("."), TEMPORARY, TEMPORARY_END, way.join("/"));
    return await restoreIn(folder, name, request, bytes);
  } catch (error) {
    if (error instanceof PathRefused) return { state: "refused" };
    throw error;
  }
}

async function restoreIn(
  folder: Folder,
  name: string,
  request: RestoreRequest,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Restored> {
  const temporary = ownName(TEMPORARY, TEMPORARY_END);
  const fd = folder.openFile(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
  try {
    let written: Hashed;
    try {
      written = await writeBytes(bytes, fd);
    } finally {
      closeSync(fd);
    }
    if (written.sha256 !== request.sha256) return { state: "wrong" };
    const kept = request.replace
      ? (await replace(folder, temporary, name, written)).kept
      : await putInFree(folder, temporary, name, written);
    folder.sync();
    const prefix = request.path.slice(0, request.path.lastIndexOf("/"));
    return { state: "restored", kept: kept.map((one) => `${prefix}/${one}`) };
  } finally {
    removeIfThere(folder.at(temporary));
  }
}

async function putInFree(
  folder: Folder,
  temporary: string,
  name: string,
  written: Hashed,
): Promise<string[]> {
  try {
    linkSync(folder.at(temporary), folder.at(name));
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    if (!(await isFileWith(folder, name, written))) throw new PathRefused(`"${name}" has other bytes.`);
  }
  return [];
}
