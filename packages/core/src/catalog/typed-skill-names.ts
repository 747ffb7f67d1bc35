import { isRecord } from "../shared/json.ts";
import { readRegularFile } from "../shared/regular-file.ts";
import type { SkillMetadata } from "../skill/schema.ts";

/** Typed skills that are there without being declared (document 003 §6). */
const BUILTIN = ["file_fingerprint", "text_extract", "template_render", "diff_artifact", "validator_basic"];

const MAX_REGISTRY_BYTES = 1024 * 1024;

/** The built-in typed skills and those in the registries. Only names: the engine reports what is wrong with an entry. */
export async function typedSkillNames(registries: readonly string[]): Promise<readonly string[]> {
  const texts = [...new Set(registries)].flatMap((file) => {
    const content = readRegularFile(file, MAX_REGISTRY_BYTES, true);
    return "fault" in content ? [] : [content.bytes.toString("utf8")];
  });
  // The parser takes longer to load than a listing takes.
  if (texts.length === 0) return BUILTIN;
  const { parseYamlFile } = await import("../skill/yaml/yaml-profile.ts");
  const declared = texts.flatMap((text) => {
    const document = parseYamlFile(text);
    const entries = "fault" in document ? undefined : document.data.skills;
    return Array.isArray(entries) ? entries : [];
  });
  const names = declared.map((entry) => (isRecord(entry) ? entry.name : undefined));
  return [...BUILTIN, ...names.filter((name) => typeof name === "string")];
}

export const TYPED = "typed:";

/** A typed skill without a `SKILL.md`, to be dispatched. Its path is its identity. */
export function typedTarget(name: string): SkillMetadata {
  const path = `${TYPED}${name}`;
  return {
    id: path,
    name,
    description: "",
    path,
    dir: path,
    // The engine decides about its code; there is no text that could wait for trust.
    scope: "bundled",
    mtimeMs: 0,
    dialect: "project",
    invocationMode: "tool_dispatch",
    commandTool: name,
  };
}

export function isTypedTarget({ path }: Pick<SkillMetadata, "path">): boolean {
  return path.startsWith(TYPED);
}
