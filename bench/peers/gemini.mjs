import { loadSkillsFromDir } from "@google/gemini-cli-core";
import manifest from "@google/gemini-cli-core/package.json" with { type: "json" };

export const name = "gemini";
export const version = manifest.version;

export async function load(root) {
  return (await loadSkillsFromDir(root)).length;
}
