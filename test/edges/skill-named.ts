import type { SkillMetadata } from "../../packages/core/src/skill/schema.ts";

/** A skill without a file, for tests that only need its metadata. */
export function skillNamed(
  name: string,
  dir = `/skills/${name}`,
  more: Partial<SkillMetadata> = {},
): SkillMetadata {
  return {
    id: dir,
    name,
    description: "Something.",
    path: `${dir}/SKILL.md`,
    dir,
    scope: "repo",
    mtimeMs: 0,
    dialect: "agentskills",
    ...more,
  };
}
