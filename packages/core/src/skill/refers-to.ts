import { dirname } from "node:path";
import { fold, isSameName } from "../shared/fold.ts";
import type { SkillMetadata } from "./schema.ts";

/** A skill as a rule or a switch can name it. A typed skill has a name alone. */
export type Named = Pick<SkillMetadata, "name"> &
  Partial<Pick<SkillMetadata, "id" | "path" | "dir" | "scope" | "places">>;

/**
 * Whether an entry that takes something away means this skill: a deny rule, a switch. It is a name, an id, `scope:name` or
 * an absolute path. Names are folded: an entry that misses its skill because of a capital is worse than one that catches
 * a second skill.
 */
export function refersTo(entry: string, skill: Named): boolean {
  return refersToAny([entry], skill);
}

const known = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The same for a list of entries. What is worked out for a list is kept: it is asked about thousands of skills. */
export function refersToAny(
  entries: readonly string[],
  { name, id, path, dir, scope, places }: Named,
): boolean {
  if (entries.length === 0) return false;
  let words = known.get(entries);
  if (!words) {
    words = new Set(entries.map((entry) => (/[/\\]/.test(entry) ? entry : fold(entry))));
    known.set(entries, words);
  }
  const folded = fold(name);
  return (
    words.has(folded) ||
    (scope !== undefined && words.has(`${scope}:${folded}`)) ||
    [id, path, dir].some((own) => own !== undefined && words.has(own)) ||
    (places?.some((place) => words.has(place) || words.has(dirname(place))) ?? false)
  );
}

/**
 * Whether an entry that grants something means this skill: exactly its name, its id or its path. With case folding it would
 * also grant a skill whose untrusted name merely looks the same.
 */
export function isExactly(entry: string, { name, id, path, dir }: Named): boolean {
  return isSameName(entry, name) || [id, path, dir].includes(entry);
}
