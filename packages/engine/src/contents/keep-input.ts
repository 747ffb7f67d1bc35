import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { shorten } from "@knack/core/internal/engine";
import { hashFile } from "../artifacts/hash-file.ts";
import { EngineError } from "../shared/engine-error.ts";
import type { Contents } from "./contents.ts";
import { fileBytes } from "./file-bytes.ts";
import type { Digest } from "./verified.ts";

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
  throw new EngineError("INVALID_PARAM", `${shorten(file)} is not a file; name a file.`);
}
