import { listSkills } from "deepagents";
import manifest from "deepagents/package.json" with { type: "json" };

export const name = "deepagents";
export const version = manifest.version;

export async function load(root) {
  return listSkills({ projectSkillsDir: root }).length;
}
