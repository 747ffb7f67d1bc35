import { createHash } from "node:crypto";

/**
 * A name of its own for each thing. Where several would get the same, those that are not called exactly so get a suffix made
 * from what `idOf` says of them: the same at every start, and nothing ever takes the place of another.
 */
export function uniqueNames<T>(
  things: readonly T[],
  nameOf: (thing: T) => string,
  idOf: (thing: T) => string,
  collided: (name: string, things: readonly T[]) => void = () => {},
): Map<string, T> {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const name = nameOf(thing);
    const group = groups.get(name);
    if (group) group.push(thing);
    else groups.set(name, [thing]);
  }
  const named = new Map<string, T>();
  for (const [name, group] of groups) if (group.length === 1) named.set(name, group[0] as T);
  for (const [name, group] of groups) {
    if (group.length === 1) continue;
    collided(name, group);
    const exact = group.find((thing) => idOf(thing) === name);
    for (const thing of group) named.set(thing === exact ? name : suffixed(name, idOf(thing), named), thing);
  }
  return named;
}

function suffixed(name: string, id: string, taken: ReadonlyMap<string, unknown>): string {
  const digest = createHash("sha256").update(id).digest("hex");
  for (let length = 6; ; length++) {
    const candidate = `${name.slice(0, 64 - 1 - length)}_${digest.slice(0, length)}`;
    if (!taken.has(candidate)) return candidate;
  }
}
