import { type Content, readContained } from "../context/files/contained-file.ts";
import type { FileRefusal } from "../context/files/refusal.ts";
import type { ToolErrorCode } from "../shared/error-codes.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { ToolError } from "./envelope.ts";
import type { SkillWanted } from "./find-skill.ts";
import { permitFileIn, permittedSkill } from "./give-skill.ts";
import type { ToolContext } from "./tool.ts";

/** A file that comes with a skill, and whose it is. */
export type SkillFile = Content & { readonly skill: SkillMetadata };

const CODES: Readonly<Record<FileRefusal["refusal"], ToolErrorCode>> = {
  NOT_FOUND: "NOT_FOUND",
  ACCESS_DENIED: "ACCESS_DENIED",
  PERMISSION_DENIED: "PERMISSION_DENIED",
  IS_DIRECTORY: "IS_DIRECTORY",
  NOT_REGULAR: "ACCESS_DENIED",
  EXECUTION_ERROR: "EXECUTION_ERROR",
};

/** One file of a permitted skill: nothing outside of its folder, and nothing of a skill inside it that is not permitted. */
export async function readSkillFile(
  tool: string,
  wanted: SkillWanted,
  file: string,
  maxBytes: number,
  context: ToolContext,
): Promise<SkillFile> {
  const permitted = await permittedSkill(tool, wanted, context);
  const { skill, catalog } = permitted;
  const content = readContained(skill.dir, file, { maxBytes, validation: catalog.validationOf(skill) });
  if ("refusal" in content) throw new ToolError(CODES[content.refusal], content.message);
  await permitFileIn(tool, permitted, content.real, context);
  await context.checkLocked(skill, content.real, content.sha256);
  return { ...content, skill };
}
