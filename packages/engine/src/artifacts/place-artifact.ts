import { closeSync, fstatSync, lstatSync, writeFileSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { canonical, isInside, systemCode, tryOr } from "@knack/core/files";
import { KnackError, quote } from "@knack/core/text";
import { ARTIFACTS, segmentProblem } from "../registry/path-template.ts";
import { Folder, isRefusal } from "./folder.ts";
import { type Hashed, piecesOf } from "./hash-file.ts";
import { claim, linkOrSame, replace } from "./take-name.ts";
import { type Leftovers, TEMPORARY, TEMPORARY_END, writeWhole } from "./temporary.ts";

/** Opens a folder of the project, made if needed. Where `top` is new, git ignores it. */
function openOwnFolder(projectRoot: string, segments: readonly string[], top: string, what: string): Folder {
  const isFirst = !lstatSync(join(projectRoot, top), { throwIfNoEntry: false });
  const folder = Folder.open(projectRoot, segments, true);
  if (isFirst) {
    using first = Folder.open(projectRoot, top.split("/").filter(Boolean), false);
    const text = `# Created by Knack: ${what} are not committed. Remove this file to commit them.\n*\n`;
    // Another process may have made it in between; what cannot be written is reported with the file.
    tryOr(() => writeFileSync(first.at(".gitignore"), text, { flag: "wx", mode: 0o644 }), undefined);
  }
  return folder;
}

async function openArtifactFolder({ projectRoot, leftovers }: Placing, folders: readonly string[]) {
  const folder = openOwnFolder(projectRoot, folders, ARTIFACTS, "artifacts of runs");
  await leftovers?.sweepOnce(folder.at("."), TEMPORARY, TEMPORARY_END, folders.join("/"));
  return folder;
}

function partsOf(path: string): { readonly folders: readonly string[]; readonly name: string } | undefined {
  const folders = path.split("/");
  if (!path.startsWith(ARTIFACTS) || folders.some(segmentProblem)) return undefined;
  const name = folders.pop() ?? "";
  return { folders, name };
}

interface Placing {
  readonly projectRoot: string;
  readonly sha256: string;
  /** Makes a changed artifact again at exactly its path, which no other run has; the user's edit is kept beside it. */
  readonly replace?: boolean;
  readonly leftovers?: Leftovers | undefined;
}

export interface PlaceRequest extends Placing {
  readonly artifactsDir: string;
  /** The file as the function named it: absolute, or relative to `artifactsDir`. */
  readonly source: string;
  /** Where it goes, relative to the project: a filled-in path template. */
  readonly target: string;
  /** Whether another machine has recorded other bytes at this path, so that it must not be taken here. */
  readonly isTaken?: ((path: string, sha256: string) => Promise<boolean>) | undefined;
}

type Placed =
  | (Hashed & {
      /** Relative to the project, with `/`; not always `target`. */
      readonly path: string;
      /** Where the replaced files are now, relative to the project; absent if there were none. */
      readonly kept?: readonly string[];
    })
  | { readonly code: "SKILL_BAD_OUTPUT" | "E_ARTIFACT_PATH"; readonly message: string };

/** Copies a produced file to its place and syncs it. No other bytes are overwritten: then the new file gets a suffix. */
export async function placeArtifact(request: PlaceRequest): Promise<Placed> {
  const source = openSource(request);
  if (typeof source === "string") return { code: "SKILL_BAD_OUTPUT", message: source };
  try {
    const parts = partsOf(request.target);
    if (!parts) throw new KnackError("CONFLICT", `it is not a valid path below ${ARTIFACTS}`);
    using folder = await openArtifactFolder(request, parts.folders);
    return await writeWhole(folder, piecesOf(source), (temporary, copied) =>
      nameCopy(folder, parts, temporary, copied, request),
    );
  } catch (error) {
    if (isRefusal(error))
      return { code: "E_ARTIFACT_PATH", message: `${request.target} was not written: ${error.message}` };
    // The system's message names the file by its descriptor, which helps nobody.
    throw new Error(`${request.target} cannot be written (${systemCode(error)}).`, { cause: error });
  } finally {
    closeSync(source);
  }
}

const MAX_BYTES = 2 * 1024 ** 3;

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
    fd = folder.openToRead(name);
  } catch (error) {
    if (isRefusal(error)) return `The artifact ${source} does not exist, or is reached through a link.`;
    return `The artifact ${source} cannot be read (${systemCode(error)}).`;
  }
  const stats = fstatSync(fd);
  if (stats.isFile() && stats.nlink === 1 && stats.size <= MAX_BYTES) return fd;
  closeSync(fd);
  if (!stats.isFile()) return `The artifact ${source} is not a regular file.`;
  // A second hard link could be outside: a file of somebody else, or one that changes later.
  if (stats.nlink > 1) return `The artifact ${source} has more than one hard link.`;
  return `The artifact has more than ${MAX_BYTES} bytes.`;
}

async function nameCopy(
  folder: Folder,
  { folders, name }: NonNullable<ReturnType<typeof partsOf>>,
  temporary: string,
  copied: Hashed,
  request: PlaceRequest,
): Promise<Placed> {
  const pathOf = (one: string): string => [...folders, one].join("/");
  if (copied.sha256 !== request.sha256.toLowerCase()) {
    const message = `The sha256 of the artifact ${request.source} does not match what the skill returned.`;
    return { code: "SKILL_BAD_OUTPUT", message };
  }
  if (request.replace) {
    const kept = await replace(folder, temporary, name, copied);
    return { path: request.target, ...copied, ...(kept.length > 0 && { kept: kept.map(pathOf) }) };
  }
  const isTaken = async (one: string): Promise<boolean> =>
    (await request.isTaken?.(pathOf(one), copied.sha256)) ?? false;
  return { path: pathOf(await claim(folder, temporary, name, copied, isTaken)), ...copied };
}

/** Writes a recorded artifact to exactly its path and returns the files moved aside; `null` where it cannot be there. */
export async function restoreArtifact(
  request: Placing & { readonly path: string },
  bytes: AsyncIterable<Uint8Array>,
): Promise<readonly string[] | null> {
  // The record may have been written on another machine.
  const parts = partsOf(request.path);
  if (!parts) return null;
  const { folders, name } = parts;
  try {
    using folder = await openArtifactFolder(request, folders);
    return await writeWhole(folder, bytes, async (temporary, written) => {
      if (written.sha256 !== request.sha256) return null;
      if (!request.replace) return (await linkOrSame(folder, temporary, name, written)) ? [] : null;
      const kept = await replace(folder, temporary, name, written);
      return kept.map((one) => [...folders, one].join("/"));
    });
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

const ATTACHED = "workspace/attached/";

export interface ReceivedFile {
  /** The bytes; an iterator that throws leaves no file. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly name: string;
}

/** Writes an uploaded file below `workspace/attached/` and answers its path. Overwrites nothing and follows no link. */
export async function receiveFile(
  projectRoot: string,
  below: readonly string[],
  { bytes, name }: ReceivedFile,
): Promise<string> {
  const problem = segmentProblem(name) ?? (Buffer.byteLength(name) > 200 ? "is too long." : undefined);
  if (problem !== undefined || name.startsWith("."))
    throw new KnackError("INVALID_PARAM", `The file name ${quote(name)} ${problem ?? "begins with a dot."}`);
  const segments = [...ATTACHED.split("/").filter(Boolean), ...below];
  try {
    using folder = openOwnFolder(projectRoot, segments, ATTACHED, "files attached to tasks");
    const chosen = await writeWhole(folder, bytes, (temporary, written) =>
      claim(folder, temporary, name, written),
    );
    return `${segments.join("/")}/${chosen}`;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new KnackError("CONFLICT", `${segments.join("/")} cannot be used: ${error.message}`);
  }
}
