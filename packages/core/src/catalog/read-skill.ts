import { SkillError } from "../errors.ts";
import { type FullReading, parseWholeSkill } from "../skill/parse.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { readSkillFile } from "./skill-file.ts";
import { realpathSync } from "node:fs";
import { basename } from "node:path";

/** One skill of the catalog with all of its frontmatter and its body, read from its file now. */
export function readSkill(skill: SkillMetadata): FullReading {
  const content = readSkillFile(realpathSync(skill.path));
  if ("fault" in content) throw new SkillError("NOT_FOUND", `${skill.path}: ${content.message}`);
  return parseWholeSkill(content.bytes, { folder: basename(skill.dir), dialect: skill.dialect, bareIsLily: false });
}
