import { createHash, hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Fault } from "../../shared/diagnostics.ts";
import { systemCode } from "../../shared/errors.ts";
import { removeQuietly, writeWhole } from "../../shared/write-whole.ts";
import type { Tree } from "./tree.ts";
import { decodeTree, encodeTreeParts } from "./tree-bytes.ts";

/**
 * A tree on disk: magic, checksum, bytes. A file that is torn, cut, of another version or not ours at all does not match
 * and counts as absent. Each is written whole under another name and then renamed, so processes that start at once never
 * see a part of one; which of them wins does not matter, because a tree is only ever believed where the files agree.
 */

/** Counts up whenever reading a skill would give another result or the layout changes. */
const MAGIC = "KNACKIX2";
const DIGEST = 40;
const HEADER = MAGIC.length + DIGEST;

/** What is known of the tree at `top`, or `null`. */
export function loadIndex(file: string, top: string): Tree | null {
  let bytes: Buffer<ArrayBuffer>;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    systemCode(error); // Whatever the system says: without an index the files are read.
    return null;
  }
  if (bytes.length < HEADER || bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) return null;
  const content = bytes.subarray(HEADER);
  if (bytes.toString("latin1", MAGIC.length, HEADER) !== checksum(content)) return null;
  const tree = tryDecode(content);
  // A file that was copied here is whole, and still not about this tree.
  return tree?.paths[0] === top ? tree : null;
}

/** Whatever is wrong with an index, the files are there to be read. */
function tryDecode(content: Uint8Array<ArrayBuffer>): Tree | null {
  try {
    return decodeTree(content);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

/** Writes the index; a disk that is full or read-only is told to the caller, who can do without. */
export function saveIndex(file: string, tree: Tree): Fault | undefined {
  const parts = encodeTreeParts(tree);
  const digest = createHash("sha1");
  for (const part of parts) digest.update(part);
  const header = Buffer.from(MAGIC + digest.digest("hex"), "latin1");
  const failure = writeWhole(file, header, ...parts);
  if (failure === undefined) removeOld(dirname(file));
  else
    return {
      fault: "INDEX",
      message: `The index cannot be written (${failure}). Until it can, every start reads all skills.`,
    };
  return undefined;
}

/** Of trees that are gone or forgotten; one that is still in use is made again. */
function removeOld(folder: string): void {
  const limit = Date.now() - 90 * 24 * 60 * 60 * 1000;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? limit) < limit) removeQuietly(path);
  }
}

/** Against accidents, not attackers: who can write the user's cache folder needs no index to do harm. */
function checksum(bytes: Uint8Array): string {
  return hash("sha1", bytes, "hex");
}
