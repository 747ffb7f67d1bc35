import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { basename, dirname } from "node:path";
import { KnackError, shorten } from "@knack/core/text";
import { Folder } from "../artifacts/folder.ts";
import { hashFile, piecesOf } from "../artifacts/hash-file.ts";
import { linkOrSame } from "../artifacts/take-name.ts";
import { writeWhole } from "../artifacts/temporary.ts";
import { openArtifact } from "../artifacts/verify-artifact.ts";
import { type Contents, type Digest, verified } from "./contents.ts";

async function* fileBytes(fd: number): AsyncGenerator<Uint8Array> {
  try {
    yield* piecesOf(fd);
  } finally {
    closeSync(fd);
  }
}

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Stores a file for another machine and returns what it is asked for by. Rejects if the file changes meanwhile. */
export async function keepInput(contents: Contents, file: string): Promise<Digest> {
  const fd = openRegular(file);
  let digest: Digest;
  try {
    digest = await hashFile(fd);
  } finally {
    closeSync(fd);
  }
  await contents.put(digest, () => fileBytes(openRegular(file)));
  return digest;
}

/** Pipes and devices are refused without waiting for them. */
function openRegular(file: string): number {
  const fd = openSync(file, FLAGS);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new KnackError("INVALID_PARAM", `${shorten(file)} is not a file; name a file.`);
}

/** Writes a content to a file, whole and verified, and never over another one. NOT_FOUND: the content is not stored. */
export async function materialise(contents: Contents, digest: Digest, toPath: string): Promise<void> {
  using folder = Folder.open(dirname(toPath), [], false);
  const name = basename(toPath);
  const bytes = await contents.open(digest.sha256);
  if (!bytes)
    throw new KnackError("NOT_FOUND", `${contents.shown} does not have the content ${digest.sha256}.`);
  await writeWhole(folder, verified(bytes, digest), async (temporary) => {
    if (!(await linkOrSame(folder, temporary, name, digest)))
      throw new KnackError("CONFLICT", `${shorten(toPath)} exists with other bytes.`);
  });
}

export async function* artifactBytes(projectRoot: string, path: string): AsyncGenerator<Uint8Array> {
  const fd = openArtifact(projectRoot, path);
  if (typeof fd === "string") throw new KnackError("CORRUPT", `${path} was removed in the meantime.`);
  yield* fileBytes(fd);
}
