import {
  checkLocked,
  checkNpxLocked,
  type FileChange,
  type LockedSkill,
  type LockPlace,
  type NpxLocked,
  readLock,
  readNpxLock,
} from "@knack/core/internal";

/** One entry of a lock: of `skills.lock`, or of the `skills-lock.json` of npx skills. */
export type Pinned = { readonly key: string; readonly place: LockPlace } & (
  | { readonly locked: LockedSkill; readonly npx?: undefined }
  | { readonly npx: NpxLocked; readonly locked?: undefined }
);

/** The entries of these locks, and which of the locks exist. */
export async function readPins(
  places: readonly LockPlace[],
): Promise<{ readonly pinned: readonly Pinned[]; readonly existing: ReadonlySet<LockPlace> }> {
  const pinned: Pinned[] = [];
  const existing = new Set<LockPlace>();
  for (const place of places) {
    const lock = await readLock(place);
    if (lock) existing.add(place);
    for (const [key, locked] of lock ?? []) pinned.push({ key, place, locked });
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
