import { existsSync, readFileSync } from "node:fs";
import { type Config, typedSkillNames } from "@knack/core";

/** Typed skills that are there without being declared (document 003 §6). */
const BUILTIN = ["file_fingerprint", "text_extract", "template_render", "diff_artifact", "validator_basic"];

/** The names that a `command_tool` may use beyond Knack's own tools: the typed skills. */
export function registryTools(config: Config): string[] {
  const declared = config.registry.filter((file) => existsSync(file)).flatMap((file) => typedSkillNames(readFileSync(file, "utf8")));
  return [...BUILTIN, ...declared];
}
