import { closeSync, constants, fstatSync, fsyncSync, lstatSync, writeSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { canonical, isInside, systemCode } from "@knack/core/internal/engine";
import { segmentProblem } from "../registry/path-segment.ts";
import { ARTIFACTS } from "../registry/path-template.ts";
import { claim, removeIfThere } from "./claim-name.ts";
import { Folder, PathRefused } from "./folder.ts";
import { type Hashed, hashFile } from "./hash-file.ts";
import { keepOutOfGit } from "./keep-out-of-git.ts";
import type { Leftovers } from "./leftovers.ts";
import { ownName, TEMPORARY, TEMPORARY_END } from "./own-name.ts";
import { replace } from "./replace-name.ts";

const MAX_BYTES = 2 * 1024 * 1024 * 1024;

export interface PlaceRequest {
  /** Where the function was allowed to write. */
  readonly artifactsDir: string;
  /** The file as the function named it: absolute, or relative to `artifactsDir`. */
  readonly source: string;
  /** What the function says its digest is. */
  readonly sha256: string;
  readonly projectRoot: string;
  /** Where it goes, relative to the project: a filled-in path template. */
  readonly target: string;
  /**
   * Creates a changed artifact again at exactly `target`. The user's edit there is kept beside it. The caller knows that
   * it does not belong to another run.
   */
  readonly replace?: boolean;
  readonly maxBytes?: number;
  /** Whether another machine has recorded other bytes at this path, so that it must not be taken here. */
  readonly isTaken?: ((path: string, sha256: string) => Promise<boolean>) | undefined;
  /** Removes what killed processes left beside it. */
  readonly leftovers?: Leftovers;
}

interface PlacedArtifact {
  /** Relative to the project, with `/`; not always `target`. */
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  /** Where the replaced files are now, relative to the project; absent if there were none. */
  readonly kept?: readonly string[];
}

export type Placing =
  | PlacedArtifact
  | { readonly code: "SKILL_BAD_OUTPUT" | "E_ARTIFACT_PATH"; readonly message: string };

/**
 * Copies a produced file to its place in the project. When it answers with a path, the bytes and their name are synced.
 * A file that is there is never overwritten: with the same bytes it is used, with others the new one gets a suffix.
 */
export async function placeArtifact(request: PlaceRequest): Promise<Placing> {
  const source = openSource(request);
  if (typeof source === "string") return { code: "SKILL_BAD_OUTPUT", message: source };
  try {
    const way = request.target.split("/");
    if (!request.target.startsWith(ARTIFACTS) || way.some(segmentProblem)) {
      throw new PathRefused(`it is not a valid path below ${ARTIFACTS}`);
    }
    const name = way.pop() ?? "";
    const isFirst = !lstatSync(join(request.projectRoot, ARTIFACTS), { throwIfNoEntry: false });
    using folder = Folder.open(request.projectRoot, way, true);
    if (isFirst) keepOutOfGit(request.projectRoot, ARTIFACTS, "artifacts of runs");
    return await placeIn(folder, way.join("/"), name, source, request);
  } catch (error) {
    if (error instanceof BadOutput) return { code: "SKILL_BAD_OUTPUT", message: error.message };
    if (error instanceof PathRefused) {
      return { code: "E_ARTIFACT_PATH", message: `${request.target} was not written: ${error.message}` };
    }
    // The system's message names the file by its descriptor, which helps nobody.
    throw new Error(`${request.target} cannot be written (${systemCode(error)}).`, { cause: error });
  } finally {
    closeSync(source);
  }
}

/** Thrown while bytes are copied. */
class BadOutput extends Error {}

/** A descriptor of the produced file, or what is wrong with it. */
function openSource({ artifactsDir, source }: PlaceRequest): number | string {
  const root = canonical(artifactsDir);
  // The function may know the folder by another of its names.
  const way = relative(
    isAbsolute(source) && isInside(source, artifactsDir) ? artifactsDir : root,
    resolve(root, source),
  );
  if (way === "" || !isInside(resolve(root, way), root))
    return `The artifact ${source} is not in artifactsDir.`;
  const parts = way.split(sep);
  const name = parts.pop() ?? "";
  let fd: number;
  try {
    using folder = Folder.open(root, parts, false);
    fd = folder.openFile(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (error instanceof PathRefused)
      return `The artifact ${source} does not exist, or is reached through a link.`;
    return `The artifact ${source} cannot be read (${systemCode(error)}).`;
  }
  const stats = fstatSync(fd);
  if (stats.isFile() && stats.nlink === 1) return fd;
  closeSync(fd);
  // A second hard link could be outside: a file of somebody else, or one that changes later.
  return stats.isFile()
    ? `The artifact ${source} has more than one hard link.`
    : `The artifact ${source} is not a regular file.`;
}

async function placeIn(
  folder: Folder,
  prefix: string,
  name: string,
  source: number,
  request: PlaceRequest,
): Promise<PlacedArtifact> {
  await request.leftovers?.sweepOnce(folder.at("."), TEMPORARY, TEMPORARY_END, prefix);
  const temporary = ownName(TEMPORARY, TEMPORARY_END);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const target = folder.openFile(temporary, flags, 0o644);
  try {
    let copied: Hashed;
    try {
      copied = await copy(source, target, request);
    } finally {
      closeSync(target);
    }
    const isTaken = async (one: string): Promise<boolean> =>
      (await request.isTaken?.(`${prefix}/${one}`, copied.sha256)) ?? false;
    const { chosen, kept } = request.replace
      ? await replace(folder, temporary, name, copied)
      : { chosen: await claim(folder, temporary, name, copied, isTaken), kept: [] };
    folder.sync();
    const placed = { path: `${prefix}/${chosen}`, ...copied };
    return kept.length === 0 ? placed : { ...placed, kept: kept.map((one) => `${prefix}/${one}`) };
  } finally {
    removeIfThere(folder.at(temporary));
  }
}

async function copy(source: number, target: number, request: PlaceRequest): Promise<Hashed> {
  const maxBytes = request.maxBytes ?? MAX_BYTES;
  let written = 0;
  const copied = await hashFile(source, (piece) => {
    if (written + piece.length > maxBytes)
      throw new BadOutput(`The artifact has more than ${maxBytes} bytes.`);
    for (let done = 0; done < piece.length; ) done += writeSync(target, piece, done);
    written += piece.length;
  });
  if (copied.sha256 !== request.sha256.toLowerCase()) {
    throw new BadOutput(
      `The sha256 of the artifact ${request.source} does not match what the skill returned.`,
    );
  }
  fsyncSync(target);
  return copied;
}
