import { closeSync, constants, linkSync, openSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { shorten, systemCode } from "@knack/core/internal/engine";
import { removeIfThere } from "../artifacts/claim-name.ts";
import { Folder } from "../artifacts/folder.ts";
import { ownName, TEMPORARY, TEMPORARY_END } from "../artifacts/own-name.ts";
import { isFileWith } from "../artifacts/replace-name.ts";
import { writeBytes } from "../artifacts/write-bytes.ts";
import { EngineError } from "../shared/engine-error.ts";
import type { Contents } from "./contents.ts";
import { type Digest, verified } from "./verified.ts";

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/**
 * Writes a content to a file, whose folder exists. The file appears whole and verified or not at all, and never replaces
 * another one. Throws `EngineError` NOT_FOUND if the content is not stored.
 */
export async function materialise(contents: Contents, digest: Digest, toPath: string): Promise<void> {
  using folder = Folder.open(dirname(toPath), [], false);
  const name = basename(toPath);
  const bytes = await contents.open(digest.sha256);
  if (!bytes)
    throw new EngineError("NOT_FOUND", `${contents.shown} does not have the content ${digest.sha256}.`);
  const temporary = ownName(TEMPORARY, TEMPORARY_END);
  const fd = openSync(folder.at(temporary), CREATE, 0o644);
  try {
    try {
      await writeBytes(verified(bytes, digest), fd);
    } finally {
      closeSync(fd);
    }
    try {
      linkSync(folder.at(temporary), folder.at(name));
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
      if (!(await isFileWith(folder, name, digest)))
        throw new EngineError("CONFLICT", `${shorten(join(dirname(toPath), name))} exists with other bytes.`);
    }
    folder.sync();
  } finally {
    removeIfThere(folder.at(temporary));
  }
}
