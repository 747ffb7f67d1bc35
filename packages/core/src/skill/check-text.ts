import { type Diagnostic, isError, toDiagnostic } from "../diagnostics.ts";
import { readSkillText } from "./skill-text.ts";

/** What would keep a `SKILL.md` of this text out of a catalog, in a folder of this name by the open standard. */
export async function checkSkillText(text: string, folder: string): Promise<Diagnostic[]> {
  const { parseYaml } = await import("./yaml-profile.ts");
  const place = { folder, dialect: "agentskills", bareIsLily: false } as const;
  const { faults } = readSkillText(Buffer.from(text, "utf8"), place, false, parseYaml);
  return faults
    .filter((fault) => isError(fault, "strict"))
    .map((fault) => toDiagnostic(fault, "SKILL.md", "strict"));
}
