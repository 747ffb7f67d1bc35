import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { SkillError } from "@knack/core";
import { shorten } from "@knack/core/internal";

export interface SkillPlace {
  readonly folder: string;
  /** Whether the path names a SKILL.md: then only that skill counts, not those below it. */
  readonly isFile: boolean;
}

/** The folder that a given path means: a folder with skills, or the folder of a SKILL.md. Throws `SkillError`. */
export function skillPlace(path: string): SkillPlace {
  if (!existsSync(path))
    throw new SkillError("NOT_FOUND", `${shorten(path)} does not exist; check the path.`);
  const isFile = !statSync(path).isDirectory();
  if (isFile && basename(path) !== "SKILL.md")
    throw new SkillError(
      "INVALID_PARAM",
      `${shorten(path)} is not a SKILL.md; name a skill's folder or its SKILL.md.`,
    );
  return { folder: realpathSync(isFile ? dirname(path) : path), isFile };
}
