import { readSkillBytes } from "../../catalog/scan/skill-file.ts";
import { ReadBuffer } from "../../shared/regular-file.ts";
import { splitFrontmatter } from "../../skill/frontmatter.ts";

const buffer = new ReadBuffer();

/** The text below the frontmatter; empty if the file was removed since the snapshot. */
export function bodyOf(file: string): string {
  const content = readSkillBytes(file, buffer);
  if ("fault" in content) return "";
  const split = splitFrontmatter(content.bytes);
  return content.bytes.toString("utf8", "fault" in split ? 0 : split.bodyStart);
}
