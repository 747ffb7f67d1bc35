import { relative } from "node:path";
import { compareText } from "../shared/compare-text.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { Root } from "./scan/roots.ts";
import { isSameFolder } from "./scan/same-folder.ts";

/** A skill, and the root that it was found in. */
export interface Located {
  readonly skill: SkillMetadata;
  readonly root: Root;
}

export interface United {
  /** Paths of skills that are the same as an earlier one. */
  readonly copies: ReadonlySet<string>;
  /** By path of a skill: where else the same skill is. */
  readonly places: ReadonlyMap<string, readonly string[]>;
}

/**
 * The same skill in several folders is one skill with several places: by a link to it, by a link to its root, or as a copy
 * of the whole folder in a client's. The first one stands for all of them.
 */
export function unite(located: readonly Located[], links: ReadonlyMap<string, readonly string[]>): United {
  const copies = new Map<string, string>();
  for (const group of sharingName(located)) {
    const different: SkillMetadata[] = [];
    for (const { skill } of group) {
      // Knack's own folders come first in a group. They keep every skill, and so two copies (document 004 §5.4).
      const isOwn = skill.client === undefined;
      const same = isOwn ? undefined : different.find(({ dir }) => isSameFolder(dir, skill.dir));
      if (same) copies.set(skill.path, same.path);
      else different.push(skill);
    }
  }
  const places = new Map<string, string[]>();
  const add = (skill: string, others: readonly string[]): void => {
    if (others.length > 0) places.set(skill, [...(places.get(skill) ?? []), ...others]);
  };
  for (const { skill, root } of located) {
    const original = copies.get(skill.path);
    const own = [...(links.get(skill.path) ?? []), ...throughOtherRoots(skill, root)];
    add(original ?? skill.path, original === undefined ? own : [skill.path, ...own]);
  }
  for (const others of places.values()) others.sort(compareText);
  return { copies: new Set(copies.keys()), places };
}

function throughOtherRoots({ path }: SkillMetadata, { real, also = [] }: Root): string[] {
  if (also.length === 0) return [];
  const below = relative(real, path);
  return below.startsWith("..") ? [] : also.map((other) => `${other}/${below}`);
}

/** Names are unique in most catalogs, so look for those that are not before anything is collected. */
function sharingName(located: readonly Located[]): Iterable<readonly Located[]> {
  const names = new Set<string>();
  const shared = new Map<string, Located[]>();
  for (const { skill } of located) {
    if (names.has(skill.name)) shared.set(skill.name, []);
    names.add(skill.name);
  }
  if (shared.size > 0) for (const one of located) shared.get(one.skill.name)?.push(one);
  return shared.values();
}
