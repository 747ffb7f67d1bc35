import type { Entry } from "../catalog/snapshot.ts";
import { fold, isSameName } from "../shared/fold.ts";

/** Every snapshot has its own list of entries, so what is worked out for one list holds as long as it is there. */
const known = new WeakMap<readonly Entry[], ReadonlyMap<string, readonly Entry[]>>();

/** Lists that were searched by name before. */
const asked = new WeakSet<readonly Entry[]>();

/** The entries by their folded names. */
function byFoldedName(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  const before = known.get(entries);
  if (before) return before;
  const made = Map.groupBy(entries, ({ skill }) => fold(skill.name));
  known.set(entries, made);
  return made;
}

/** The entries of this name: exactly, or in every form that `fold` makes one. */
export function namedIn(entries: readonly Entry[], name: string, exactly: boolean): readonly Entry[] {
  // A command asks once, and a look at each name costs less than folding all of them. A server asks again.
  if (exactly && !known.has(entries) && !asked.has(entries)) {
    asked.add(entries);
    return entries.filter(({ skill }) => isSameName(skill.name, name));
  }
  const same = byFoldedName(entries).get(fold(name)) ?? [];
  return exactly ? same.filter(({ skill }) => isSameName(skill.name, name)) : same;
}
