import { type Diagnostic, isError, toDiagnostic } from "../shared/diagnostics.ts";
import { type FullReading, type Place, type Reading, readSkillText } from "./skill-text.ts";
import { parseYaml } from "./yaml/yaml-profile.ts";

export type { FullReading, Place, Reading } from "./skill-text.ts";

/** Bytes of a `SKILL.md` → what the catalog needs. Never throws: whatever is wrong is a fault. */
export function parseSkill(bytes: Buffer, place: Place): Reading {
  return readSkillText(bytes, place, parseYaml).reading;
}

/** The same with all frontmatter and the body. */
export function parseWholeSkill(bytes: Buffer, place: Place): FullReading {
  const { reading, frontmatter, bodyStart } = readSkillText(bytes, place, parseYaml);
  return { ...reading, frontmatter, body: bytes.toString("utf8", bodyStart) };
}

/** What would keep a `SKILL.md` of this text out of a catalog, in a folder of this name by the open standard. */
export function checkSkillText(text: string, folder: string): Diagnostic[] {
  const place = { folder, dialect: "agentskills", bareIsLily: false } as const;
  const { faults } = parseSkill(Buffer.from(text, "utf8"), place);
  return faults
    .filter((fault) => isError(fault, "strict"))
    .map((fault) => toDiagnostic(fault, "SKILL.md", "strict"));
}
