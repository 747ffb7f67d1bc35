import { createHash, hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemCode } from "../errors.ts";
import { removeQuietly, writeWhole } from "../write-whole.ts";

/**
 * What is kept on disk to start faster: kind and version, checksum, bytes. A file that is torn, cut, of another version or not
 * ours at all counts as absent. Each is written whole under another name and then renamed, so processes that start at once
 * never see a part of one.
 */
export interface IndexKind<T> {
  /** Eight letters, kind and version: the version counts up whenever the same input would give other bytes. */
  readonly magic: string;
  /** The content, or `null` where it is not about what is asked for. May throw on bytes that it did not write. */
  decode(content: Buffer<ArrayBuffer>): T | null;
}

const MAGIC = 8;
const HEADER = MAGIC + 40;
const OLD_MS = 90 * 24 * 60 * 60 * 1000;

/** What is on disk, or `null`. Whatever is wrong with it, the files that it was made from are there to be read. */
export function loadIndexFile<T>(file: string, { magic, decode }: IndexKind<T>): T | null {
  let bytes: Buffer<ArrayBuffer>;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    systemCode(error); // Whatever the system says, it is absent.
    return null;
  }
  if (bytes.length < HEADER || bytes.toString("latin1", 0, MAGIC) !== magic) return null;
  const content = bytes.subarray(HEADER);
  // Against accidents, not attackers: who can write the user's cache folder needs no index to do harm.
  if (bytes.toString("latin1", MAGIC, HEADER) !== hash("sha1", content, "hex")) return null;
  try {
    return decode(content);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

/** Writes it whole or not at all, and removes what nobody has used for long. The reason where it cannot be written. */
export function saveIndexFile(file: string, magic: string, parts: readonly Uint8Array[]): string | undefined {
  const digest = createHash("sha1");
  for (const part of parts) digest.update(part);
  const failure = writeWhole(file, Buffer.from(magic + digest.digest("hex"), "latin1"), ...parts);
  if (failure === undefined) removeOld(dirname(file));
  return failure;
}

/** Of what is gone or forgotten; one that is still in use is made again. */
export function removeOld(folder: string): void {
  const limit = Date.now() - OLD_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? limit) < limit) removeQuietly(path);
  }
}
