import type { Catalog, SkillMetadata } from "@knack/core";
import { SkillError } from "@knack/core";

/** Letters and digits of any language, and `._-`; nothing that a shell or an option parser interprets. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u;
/** One line without quotes, expansions or invisible characters. */
const PLAIN_PATH = /^\/[^\p{C}\p{Zl}\p{Zp}"'`$\\!]*$/u;

/**
 * The argument that makes `knack load` load exactly this skill: its name if that is unique, else its path, else its id.
 * Names are untrusted, so the result is always one line without quotes that does not begin with a dash.
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
