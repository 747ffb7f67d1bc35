import { type Config, typedSkillNames } from "@knack/core";

/** Typed skills that are there without being declared (document 003 §6). */
const BUILTIN = ["file_fingerprint", "text_extract", "template_render", "diff_artifact", "validator_basic"];

/** The names that a `command_tool` may use beyond Knack's own tools: the typed skills. */
export async function registryTools(config: Config): Promise<string[]> {
  const declared = await Promise.all(config.registry.map((file) => typedSkillNames(file)));
  return [...BUILTIN, ...declared.flat()];
}
