import { makeIndex } from "../../packages/core/src/search/index/make-index.ts";
import { openInMemory, type TextIndex } from "../../packages/core/src/search/index/text-index.ts";
import { inSearchOrder, type SearchResults, SkillSearch } from "../../packages/core/src/search/search.ts";
import type { SkillMetadata, SkillScope } from "../../packages/core/src/skill/schema.ts";

/** A skill without a file. */
export interface Given {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly scope?: SkillScope;
  readonly path?: string;
}

/** Search over such skills, as a catalog would. */
export function searchOver(
  given: readonly Given[],
): (query: string, limit?: number, all?: boolean) => SearchResults {
  const sorted = given
    .map(({ name, description, body, scope = "repo", path = `/skills/${name}` }, i) => {
      const skill: SkillMetadata = {
        id: String(i),
        name,
        description,
        path: `${path}/SKILL.md`,
        dir: path,
        scope,
        mtimeMs: 0,
        dialect: "agentskills",
      };
      return { skill, body };
    })
    .sort((a, b) => inSearchOrder(a.skill, b.skill));
  const skills = sorted.map(({ skill }) => skill);
  const index = indexOver(sorted.map(({ skill, body }) => ({ ...skill, body })));
  const search = new SkillSearch(skills, index, 50);
  return (query, limit = 50) => search.search(query, { limit });
}

/** The index of such skills, in this order. */
export function indexOver(
  skills: readonly Pick<SkillMetadata & Given, "name" | "dir" | "description" | "body">[],
): TextIndex {
  const toIndex = skills.map(({ body, ...skill }) => ({
    ...skill,
    key: "",
    body: () => body,
    beside: () => ({ text: "", state: "" }),
  }));
  return openInMemory(makeIndex(toIndex, new Uint8Array(), null));
}
