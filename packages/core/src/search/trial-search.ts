import type { SkillMetadata } from "../skill/schema.ts";
import { makeSearchIndex } from "./make/search-index.ts";
import { inSearchOrder, SkillSearch } from "./search.ts";

/** A search as if a skill had another description. The index is made in memory; nothing is written. */
export function trialSearch(
  skills: readonly SkillMetadata[],
  sourceOf: (skill: SkillMetadata) => string,
  maxLimit: number,
  changed: { readonly path: string; readonly description: string },
): SkillSearch {
  const described = skills
    .map((skill) => (skill.path === changed.path ? { ...skill, description: changed.description } : skill))
    .sort(inSearchOrder);
  const marked = described.map((skill) => ({ skill, file: sourceOf(skill), mark: "" }));
  return new SkillSearch(described, makeSearchIndex(marked, null), maxLimit);
}
