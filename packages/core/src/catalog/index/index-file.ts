import type { Fault } from "../../shared/diagnostics.ts";
import { loadIndexFile, saveIndexFile } from "../../shared/stored/index-file.ts";
import type { Tree } from "./tree.ts";
import { decodeTree, encodeTreeParts } from "./tree-bytes.ts";

/** Counts up whenever reading a skill would give another result or the layout changes. */
const MAGIC = "KNACKIX2";

/** What is known of the tree at `top`, or `null`. Which of two writers won does not matter: only what the files confirm is believed. */
export function loadIndex(file: string, top: string): Tree | null {
  return loadIndexFile(file, {
    magic: MAGIC,
    decode: (content) => {
      const tree = decodeTree(content);
      // A file that was copied here is whole, and still not about this tree.
      return tree?.paths[0] === top ? tree : null;
    },
  });
}

/** Writes the index; a full or read-only disk is reported to the caller, who can continue without. */
export function saveIndex(file: string, tree: Tree): Fault | undefined {
  const failure = saveIndexFile(file, MAGIC, encodeTreeParts(tree));
  if (failure === undefined) return undefined;
  return {
    fault: "INDEX",
    message: `The index cannot be written (${failure}). Until it can, every start reads all skills.`,
  };
}
