import { type FullReading, type Place, type Reading, readSkillText } from "./skill-text.ts";
import { parseYaml } from "./yaml/yaml-profile.ts";

export type { FullReading, Place, Reading } from "./skill-text.ts";

/** Bytes of a `SKILL.md` → what the catalog needs. Never throws: whatever is wrong is a fault. */
export function parseSkill(bytes: Buffer, place: Place): Reading {
  return readSkillText(bytes, place, false, parseYaml);
}

/** The same with all frontmatter and the body. */
export function parseWholeSkill(bytes: Buffer, place: Place): FullReading {
  return readSkillText(bytes, place, true, parseYaml);
}
