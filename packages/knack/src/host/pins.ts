import {
  acceptedBefore,
  checkLocked,
  checkNpxLocked,
  type FileChange,
  folderOf,
  keptText,
  type LockedSkill,
  type LockPlace,
  type NpxLocked,
  readLock,
  readNpxLock,
  textNow,
} from "@knack/core/lock";
import { visiblePath } from "../terminal/visible.ts";

export type Pinned = { readonly key: string; readonly place: LockPlace } & (
  | { readonly locked: LockedSkill; readonly npx?: undefined }
  | { readonly npx: NpxLocked; readonly locked?: undefined }
);

/**
 * The entries of these locks, and which of the locks exist. `since: "accepted"`: where the user accepted another state of a skill
 * than its project's lock has now, that state.
 */
export async function readPins(
  places: readonly LockPlace[],
  since: "locked" | "accepted" = "locked",
): Promise<{ readonly pinned: readonly Pinned[]; readonly existing: ReadonlySet<LockPlace> }> {
  const pinned: Pinned[] = [];
  const existing = new Set<LockPlace>();
  for (const place of places) {
    const lock = await readLock(place);
    if (lock) existing.add(place);
    for (const [key, locked] of lock ?? []) {
      const seen = since === "locked" || place.isBelieved ? undefined : acceptedBefore(place, locked);
      const files = new Map(Object.entries(seen?.files ?? {}));
      pinned.push({ key, place, locked: seen ? { ...locked, sha256: seen.sha256, files } : locked });
    }
    // What Knack has locked itself is what its user looked at last.
    const own = new Set([...(lock ?? [])].map(([, { folder }]) => folder));
    if (place.scope === "project")
      for (const npx of readNpxLock(place.base))
        if (!own.has(npx.folder)) pinned.push({ key: npx.name, place, npx });
  }
  return { pinned, existing };
}

export function folderOfPinned({ locked, npx }: Pinned): string {
  return (locked ?? npx).folder;
}

/** How the skill differs from its entry now: empty where every byte is as it was. */
export async function changesOf({ place, locked, npx }: Pinned): Promise<readonly FileChange[]> {
  return locked ? checkLocked(place, locked) : checkNpxLocked(place, npx);
}

export interface Difference extends FileChange {
  readonly locked_sha256?: string;
  readonly diff?: string;
}

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
