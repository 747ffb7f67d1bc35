import { type FileChange, folderOf, keptText, textNow } from "@knack/core/internal";
import { visiblePath } from "../terminal/visible.ts";
import type { Pinned } from "./pins.ts";

/** How one file differs from its lock. */
export interface Difference extends FileChange {
  readonly locked_sha256?: string;
  /** A unified diff, where both texts are known. */
  readonly diff?: string;
}

/** The change with a diff of its texts, if both are known. */
export async function diffOf({ place, locked }: Pinned, change: FileChange): Promise<Difference> {
  const { path, kind } = change;
  if (!locked || path === "") return change;
  const sha256 = locked.files.get(path);
  const facts = { ...change, ...(sha256 === undefined ? {} : { locked_sha256: sha256 }) };
  const before = sha256 === undefined ? Buffer.alloc(0) : keptText(place, sha256);
  const isThere = kind === "changed" || kind === "extra";
  const after = isThere ? textNow(folderOf(place, locked.folder), path) : Buffer.alloc(0);
  if (!before || !after || kind === "link" || kind === "unknown") return facts;
  const { diffTexts } = await import("@knack/engine");
  const names = {
    left: sha256 === undefined ? "/dev/null" : `locked/${visiblePath(path)}`,
    right: isThere ? visiblePath(path) : "/dev/null",
  };
  return { ...facts, diff: await diffTexts(before, after, names) };
}
