import { type FoundFile, markOf } from "../catalog/collect.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { type MarkedSkill, openSearchIndex } from "./index/search-index.ts";
import { inSearchOrder, SkillSearch } from "./search.ts";

/** Search over these skills, with their texts where the scan found them. `indexFile`: where the index is kept, if anywhere. */
export function openSearch(
  skills: readonly SkillMetadata[],
  files: readonly FoundFile[],
  indexFile: string | null,
  maxLimit: number,
): SkillSearch {
  const found = new Map(files.map((entry) => [entry.file.path, entry]));
  // Not the catalog's order, which is that of the roots.
  const ordered = skills.toSorted(inSearchOrder);
  const marked = ordered.map((skill): MarkedSkill => {
    const entry = found.get(skill.path);
    return { skill, file: entry?.link?.target ?? skill.path, mark: entry ? markOf(entry) : "" };
  });
  return new SkillSearch(ordered, openSearchIndex(marked, indexFile), maxLimit);
}
