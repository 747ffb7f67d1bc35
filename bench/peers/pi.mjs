import { readFileSync } from "node:fs";
import { loadSkillsFromDir } from "@mariozechner/pi-coding-agent";

// The package does not export "./package.json", so read it next to the entry point.
const entry = import.meta.resolve("@mariozechner/pi-coding-agent");
const manifest = JSON.parse(readFileSync(new URL("../package.json", entry), "utf8"));

export const name = "pi";
export const version = manifest.version;

export async function load(root) {
  // One folder, no default places: loadSkills() would add a realpath per skill and a merge by name, which is not part of
  // loading one folder.
  return loadSkillsFromDir({ dir: root, source: "bench" }).skills.length;
}
