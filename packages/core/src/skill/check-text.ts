import { type Diagnostic, isError, toDiagnostic } from "../shared/diagnostics.ts";

/** What would keep a `SKILL.md` of this text out of a catalog, in a folder of this name by the open standard. */
export async function checkSkillText(text: string, folder: string): Promise<Diagnostic[]> {
  const { parseSkill } = await import("./parse.ts");
  const place = { folder, dialect: "agentskills", bareIsLily: false } as const;
  const { faults } = parseSkill(Buffer.from(text, "utf8"), place);
  return faults
    .filter((fault) => isError(fault, "strict"))
    .map((fault) => toDiagnostic(fault, "SKILL.md", "strict"));
}
