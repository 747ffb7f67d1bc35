import { isUtf8 } from "node:buffer";
import { realpathSync, type Stats } from "node:fs";
import { basename } from "node:path";
import type { Fault } from "../../shared/diagnostics.ts";
import { KnackError } from "../../shared/errors.ts";
import { type FileContent, type FileFault, peekRegularFile } from "../../shared/regular-file.ts";
import { agentFault, MAX_AGENT_BYTES, readAgentText } from "../../skill/agent-file.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import {
  type FullReading,
  type FullYaml,
  ownTexts,
  type Place,
  readSkillText,
} from "../../skill/skill-text.ts";
import { type ScannedAgent, type ScannedFile, skillId, stampsOf, UNKNOWN } from "../tree.ts";

/** A `SKILL.md` is text for a model's context; the largest of 8,000 real ones has 294,426 bytes. */
export const MAX_SKILL_BYTES = 1024 * 1024;

/** Valid until the next read of any file. */
export function readSkillBytes(path: string): FileContent | (Fault & Pick<FileFault, "stats">) {
  const content = peekRegularFile(path, MAX_SKILL_BYTES, false);
  return "fault" in content ? { ...content, message: messageOf(content) } : content;
}

function messageOf({ fault, detail }: FileFault): string {
  if (fault === "NOT_REGULAR") return `SKILL.md is ${detail}, not a regular file.`;
  if (fault === "TOO_LARGE") {
    return `The file has ${detail} bytes; at most ${MAX_SKILL_BYTES} are read. Move most of it into references/.`;
  }
  const hint = detail === "EACCES" || detail === "EPERM" ? "; make it readable" : "";
  return `The file cannot be read (${detail})${hint}.`;
}

interface ReadSkill {
  readonly skill: ScannedFile;
  readonly stats: Stats | null;
}

/** An unreadable file is a skill with a fault. `null` where the file needs the full YAML parser and did not get it. */
export function readSkillAt(path: string, place: Place, fullYaml: FullYaml): ReadSkill;
export function readSkillAt(path: string, place: Place, fullYaml: FullYaml | null): ReadSkill | null;
export function readSkillAt(path: string, place: Place, fullYaml: FullYaml | null): ReadSkill | null {
  const content = readSkillBytes(path);
  const id = skillId(path);
  if ("fault" in content) {
    const { fault, message, stats = null } = content;
    const { dialect, folder: name } = place;
    return {
      skill: { id, path, dialect, name, description: "", facts: null, faults: [{ fault, message }] },
      stats,
    };
  }
  const { stats, bytes } = content;
  const read = readSkillText(bytes, place, fullYaml);
  if (!read) return null;
  const { dialect, name, description, facts, faults } = ownTexts(read.reading);
  const skill: ScannedFile = { id, path, dialect, name, description, facts, faults };
  if (stats.nlink <= 1) return { skill, stats };
  // Package managers link files of a shared store on purpose, so this is only a remark.
  const message = `The file has ${stats.nlink} hard links; a change through another one also changes this skill.`;
  return { skill: { ...skill, faults: [...faults, { fault: "HARDLINK", message }] }, stats };
}

/** Beside a skill, in `agents/`. */
export const AGENT_FILE = "openai.yaml";

/** Without the full YAML parser, `null` where the file needs it. */
export function readAgentAt(path: string, fullYaml: FullYaml | null): ScannedAgent | null {
  const content = peekRegularFile(path, MAX_AGENT_BYTES, false);
  const { stats } = content;
  const read =
    "fault" in content
      ? agentFault(
          `The file was not read: ${content.detail}${content.fault === "TOO_LARGE" ? " bytes" : ""}.`,
        )
      : isUtf8(content.bytes)
        ? readAgentText(content.bytes.toString("utf8"), fullYaml)
        : agentFault("Not valid UTF-8; save the file as UTF-8.");
  return read && { ...ownTexts(read), stamps: stats ? stampsOf(stats) : UNKNOWN };
}

/** One skill of the catalog with all of its frontmatter and its body, read from its file now. */
export async function readSkill(skill: SkillMetadata): Promise<FullReading> {
  const { parseWholeSkill } = await import("../../skill/parse.ts");
  const content = readSkillBytes(realpathSync(skill.path));
  if ("fault" in content) throw new KnackError("NOT_FOUND", `${skill.path}: ${content.message}`);
  const place = { folder: basename(skill.dir), dialect: skill.dialect, bareIsLily: false };
  return parseWholeSkill(content.bytes, place);
}
