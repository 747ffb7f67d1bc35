import { parseYaml } from "../skill/yaml-profile.ts";

/**
 * The names that a `registry.yaml` declares. Only names are of interest here; what is wrong with the file or an entry is
 * for whoever runs typed skills to say.
 */
export function typedSkillNames(text: string): string[] {
  const document = parseYaml(text, "failsafe", 1);
  const entries = "fault" in document ? undefined : document.data["skills"];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => {
    const name = typeof entry === "object" && entry !== null && !Array.isArray(entry) ? entry["name"] : undefined;
    return typeof name === "string" ? [name] : [];
  });
}
