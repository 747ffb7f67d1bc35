import { readRegularFile } from "../regular-file.ts";

const MAX_REGISTRY_BYTES = 1024 * 1024;

/**
 * The names that a `registry.yaml` declares; none where there is no such file. Only names are of interest here: what is
 * wrong with the file or an entry is for whoever runs typed skills to say.
 */
export async function typedSkillNames(file: string): Promise<string[]> {
  const content = readRegularFile(file, MAX_REGISTRY_BYTES, true);
  if ("fault" in content) return [];
  const text = content.bytes.toString("utf8");
  const { parseYaml } = await import("../skill/yaml-profile.ts");
  const document = parseYaml(text, "failsafe", 1);
  const entries = "fault" in document ? undefined : document.data.skills;
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => {
    const name =
      typeof entry === "object" && entry !== null && !Array.isArray(entry) ? entry.name : undefined;
    return typeof name === "string" ? [name] : [];
  });
}
