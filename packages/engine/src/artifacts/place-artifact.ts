import { closeSync, constants, fstatSync, lstatSync, writeSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { canonical, isInside, systemCode } from "@knack/core/files";
import { ARTIFACTS, segmentProblem } from "../registry/path-template.ts";
import { Folder, PathRefused } from "./folder.ts";
import { type Hashed, piecesOf, writeBytes } from "./hash-file.ts";
import { claim, linkOrSame, replace } from "./take-name.ts";
import { type Leftovers, TEMPORARY, TEMPORARY_END, writeWhole } from "./temporary.ts";

/** Makes git ignore a new folder of the project, itself included. A file that is there stays as it is. */
export function keepOutOfGit(projectRoot: string, path: string, what: string): void {
  using folder = Folder.open(projectRoot, path.split("/").filter(Boolean), false);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  try {
    const fd = folder.openFile(".gitignore", flags, 0o644);
    try {
      writeSync(fd, `# Created by Knack: ${what} are not committed. Remove this file to commit them.\n*\n`);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    // Another process may have made it in between; what cannot be written is reported with the file.
    if (!(error instanceof PathRefused)) systemCode(error);
  }
}

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

type Placing =
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
    const segments = request.target.split("/");
    if (!request.target.startsWith(ARTIFACTS) || segments.some(segmentProblem)) {
      throw new PathRefused(`it is not a valid path below ${ARTIFACTS}`);
    }
    const name = segments.pop() ?? "";
    using folder = await openArtifactFolder(request.projectRoot, segments, request.leftovers);
    return await placeIn(folder, segments.join("/"), name, source, request);
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

function openSource({ artifactsDir, source }: PlaceRequest): number | string {
  const root = canonical(artifactsDir);
  // The function may know the folder by another of its names.
  const path = relative(
    isAbsolute(source) && isInside(source, artifactsDir) ? artifactsDir : root,
    resolve(root, source),
  );
  if (path === "" || !isInside(resolve(root, path), root))
    return `The artifact ${source} is not in artifactsDir.`;
  const parts = path.split(sep);
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
  return writeWhole(
    folder,
    (fd) => copy(source, fd, request),
    async (temporary, copied) => {
      const isTaken = async (one: string): Promise<boolean> =>
        (await request.isTaken?.(`${prefix}/${one}`, copied.sha256)) ?? false;
      const { chosen, kept } = request.replace
        ? await replace(folder, temporary, name, copied)
        : { chosen: await claim(folder, temporary, name, copied, isTaken), kept: [] };
      const placed = { path: `${prefix}/${chosen}`, ...copied };
      return kept.length === 0 ? placed : { ...placed, kept: kept.map((one) => `${prefix}/${one}`) };
    },
  );
}

async function copy(source: number, target: number, request: PlaceRequest): Promise<Hashed> {
  const maxBytes = request.maxBytes ?? MAX_BYTES;
  const copied = await writeBytes(piecesOf(source), target, (size) => {
    if (size > maxBytes) throw new BadOutput(`The artifact has more than ${maxBytes} bytes.`);
  });
  if (copied.sha256 !== request.sha256.toLowerCase())
    throw new BadOutput(
      `The sha256 of the artifact ${request.source} does not match what the skill returned.`,
    );
  return copied;
}

/** Opens the folder of an artifact, made if needed, and removes what killed processes left there. */
async function openArtifactFolder(
  projectRoot: string,
  segments: readonly string[],
  leftovers: Leftovers | undefined,
): Promise<Folder> {
  const isFirst = !lstatSync(join(projectRoot, ARTIFACTS), { throwIfNoEntry: false });
  const folder = Folder.open(projectRoot, segments, true);
  if (isFirst) keepOutOfGit(projectRoot, ARTIFACTS, "artifacts of runs");
  await leftovers?.sweepOnce(folder.at("."), TEMPORARY, TEMPORARY_END, segments.join("/"));
  return folder;
}

interface RestoreRequest {
  readonly projectRoot: string;
  /** As it was recorded, relative to the project. */
  readonly path: string;
  readonly sha256: string;
  /** Whether a changed file there is kept beside and the recorded one takes its place. */
  readonly replace: boolean;
  readonly leftovers?: Leftovers | undefined;
}

/** `refused`: something else is in its place, or the path is not one of an artifact. `wrong`: these were not its bytes. */
type Restored =
  | { readonly state: "restored"; readonly kept: readonly string[] }
  | { readonly state: "refused" | "wrong" };

/** Writes a recorded artifact to exactly its path. No file that is there is overwritten, and no link is followed. */
export async function restoreArtifact(
  request: RestoreRequest,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Restored> {
  const { projectRoot, path } = request;
  const segments = path.split("/");
  // The record may have been written on another machine.
  if (!path.startsWith(ARTIFACTS) || segments.some(segmentProblem)) return { state: "refused" };
  const name = segments.pop() ?? "";
  try {
    using folder = await openArtifactFolder(projectRoot, segments, request.leftovers);
    return await writeWhole(
      folder,
      (fd) => writeBytes(bytes, fd),
      async (temporary, written) => {
        if (written.sha256 !== request.sha256) return { state: "wrong" };
        if (!request.replace)
          return (await linkOrSame(folder, temporary, name, written))
            ? { state: "restored", kept: [] }
            : { state: "refused" };
        const { kept } = await replace(folder, temporary, name, written);
        return { state: "restored", kept: kept.map((one) => `${segments.join("/")}/${one}`) };
      },
    );
  } catch (error) {
    if (error instanceof PathRefused) return { state: "refused" };
    throw error;
  }
}
