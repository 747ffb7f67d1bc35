import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import type { Fault } from "../diagnostics.ts";
import { systemCode } from "../errors.ts";
import type { Tree } from "./tree.ts";
import { decodeTree, encodeTree } from "./tree-bytes.ts";

/**
 * A tree on disk: magic, checksum, bytes. A file that is torn, cut, of another version or not ours at all does not match
 * and counts as absent. Each is written whole under another name and then renamed, so processes that start at once never
 * see a part of one; which of them wins does not matter, because a tree is only ever believed where the files agree.
 */

/** Counts up whenever reading a skill would give another result or the layout changes. */
const MAGIC = "KNACKIX1";
const HEADER = 16;

export function loadIndex(file: string): Tree | null {
  let bytes: Buffer<ArrayBuffer>;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    systemCode(error); // Whatever the system says: without an index the files are read.
    return null;
  }
  if (bytes.length < HEADER || bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) return null;
  const content = bytes.subarray(HEADER);
  return bytes.readUInt32LE(MAGIC.length) === crc32(content) ? decodeTree(content) : null;
}

/** Writes the index; a disk that is full or read-only is told to the caller, who can do without. */
export function saveIndex(file: string, tree: Tree): Fault | undefined {
  const content = encodeTree(tree);
  const header = Buffer.alloc(HEADER);
  header.write(MAGIC, "latin1");
  header.writeUInt32LE(crc32(content), MAGIC.length);
  const temporary = `${file}.${process.pid}.${performance.now()}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat([header, content]), { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    const code = systemCode(error);
    rmSync(temporary, { force: true });
    return { fault: "INDEX", message: `The index cannot be written (${code}); every start reads all skills until it can.` };
  }
  return undefined;
}
