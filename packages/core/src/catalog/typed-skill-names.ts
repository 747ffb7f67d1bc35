/**
 * The names that a `registry.yaml` declares. Only names are of interest here; what is wrong with the file or an entry is
 * for whoever runs typed skills to say.
 */
export async function typedSkillNames(text: string): Promise<string[]> {
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
