import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { SkillError } from "../shared/errors.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { FullReading } from "../skill/skill-text.ts";
import { readSkillBytes } from "./scan/skill-file.ts";

/** One skill of the catalog with all of its frontmatter and its body, read from its file now. */
export async function readSkill(skill: SkillMetadata): Promise<FullReading> {
  const { parseWholeSkill } = await import("../skill/parse.ts");
  const content = readSkillBytes(realpathSync(skill.path));
  if ("fault" in content) throw new SkillError("NOT_FOUND", `${skill.path}: ${content.message}`);
  const place = { folder: basename(skill.dir), dialect: skill.dialect, bareIsLily: false };
  return parseWholeSkill(content.bytes, place);
}
