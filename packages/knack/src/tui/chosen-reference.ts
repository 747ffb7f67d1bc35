import type { Catalog, SkillMetadata } from "@knack/core";
import { SkillError } from "@knack/core";

/** Letters and digits of any language, and what joins them; no shell and no option parser sees more in it. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u;
/** One line without quotes, expansions or characters that nobody sees. */
const PLAIN_PATH = /^\/[^\p{C}\p{Zl}\p{Zp}"'`$\\!]*$/u;

/**
 * What `knack load` takes for exactly this skill: its name where only it has that name, else its path, else its id. Whatever
 * a stranger called the skill, it is one line that begins with no dash and has no quote in it.
 */
export function chosenReference(catalog: Catalog, skill: SkillMetadata): string {
  if (PLAIN_NAME.test(skill.name) && isOnlyOne(catalog, skill)) return skill.name;
  return PLAIN_PATH.test(skill.dir) ? skill.dir : skill.id;
}

function isOnlyOne(catalog: Catalog, skill: SkillMetadata): boolean {
  try {
    return catalog.resolve({ name: skill.name }).path === skill.path;
  } catch (error) {
    if (error instanceof SkillError) return false;
    throw error;
  }
}
