import type { Stats } from "node:fs";
import { ReadBuffer } from "../../shared/regular-file.ts";
import { type FullYaml, type Place, readSkillText } from "../../skill/skill-text.ts";
import { type ScannedFile, skillId } from "../index/tree.ts";
import { readSkillBytes } from "./skill-file.ts";

export interface ReadSkill {
  readonly skill: ScannedFile;
  /** `null` where the file could not even be looked at. */
  readonly stats: Stats | null;
}

/** Nothing of a file's bytes is kept, so that a scan of thousands needs no memory for each. */
const buffer = new ReadBuffer();

/**
 * Reads one `SKILL.md`; what cannot be read is a skill file with a fault. Without the full YAML parser, `null` where the
 * file needs it.
 */
export function readSkillAt(path: string, place: Place, fullYaml: FullYaml): ReadSkill;
export function readSkillAt(path: string, place: Place, fullYaml: FullYaml | null): ReadSkill | null;
export function readSkillAt(path: string, place: Place, fullYaml: FullYaml | null): ReadSkill | null {
  const content = readSkillBytes(path, buffer);
  const id = skillId(path);
  if ("fault" in content) {
    const { fault, message, stats = null } = content;
    const { dialect, folder: name } = place;
    const mtimeMs = stats?.mtimeMs ?? 0;
    return {
      skill: { id, path, mtimeMs, dialect, name, description: "", facts: null, faults: [{ fault, message }] },
      stats,
    };
  }
  const { stats, bytes } = content;
  const reading = readSkillText(bytes, place, false, fullYaml);
  if (!reading) return null;
  const { dialect, name, description, facts, faults } = reading;
  const skill: ScannedFile = { id, path, mtimeMs: stats.mtimeMs, dialect, name, description, facts, faults };
  if (stats.nlink <= 1) return { skill, stats };
  // Package managers link files of a shared store on purpose, so this informs and refuses nothing.
  const message = `The file has ${stats.nlink} hard links; a change through another one also changes this skill.`;
  return { skill: { ...skill, faults: [...faults, { fault: "HARDLINK", message }] }, stats };
}
