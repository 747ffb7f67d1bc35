import { basename } from "node:path";
import { withAnchors } from "../../packages/core/src/search/index/anchors.ts";
import { IndexBuilder, invert } from "../../packages/core/src/search/index/postings.ts";
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
export function searchOver(given: readonly Given[]): (query: string, limit?: number) => SearchResults {
  const builder = new IndexBuilder();
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
  const entries = sorted.map(({ skill, body }) =>
    builder.pack({ name: skill.name, folder: basename(skill.dir), description: skill.description, body }),
  );
  const skills = sorted.map(({ skill }) => skill);
  const index = invert(withAnchors(entries, skills, builder.words.size), builder.words);
  const search = new SkillSearch(skills, index, 50);
  return (query, limit = 50) => search.search(query, { limit });
}
