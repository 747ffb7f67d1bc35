import { basename } from "node:path";
import { MAX_SKILL_BYTES } from "../catalog/scan/skill-at.ts";
import type { Catalog } from "../open-catalog.ts";
import { isError } from "../shared/diagnostics.ts";
import { shorten } from "../shared/quote.ts";
import type { FullReading } from "../skill/parse.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { applyArguments, type BlockStyle, renderSkillBlock } from "./blocks/skill-block.ts";
import { type FileRefusal, readFoundSkill } from "./files/contained-file.ts";
import { listInCode, readInCode } from "./files/in-code.ts";
import { listFiles } from "./files/list-files.ts";

export interface SkillText {
  /** The body without frontmatter, arguments filled in. */
  readonly content: string;
  readonly block: string;
  readonly sha256: string;
  readonly mtimeMs: number;
  readonly files: readonly string[];
  readonly filesTruncated: boolean;
}

/** The skill calls its tool, and no model reads it. */
export function callsTool(skill: Pick<SkillMetadata, "invocationMode"> | null): boolean {
  return skill?.invocationMode === "tool_dispatch";
}

export async function readingOf(bytes: Buffer, { dir, dialect }: SkillMetadata): Promise<FullReading> {
  const { parseWholeSkill } = await import("../skill/parse.ts");
  return parseWholeSkill(bytes, { folder: basename(dir), dialect, bareIsLily: false });
}

export function notForModels({ name, commandTool = "" }: SkillMetadata): string {
  return `it calls the tool ${shorten(commandTool)}, and its text is not for models. Use it with skill_load or /skill ${shorten(name)}.`;
}

export type LoadFault =
  | FileRefusal
  | { readonly refusal: "UNPARSABLE" | "CHANGED"; readonly message: string };

/** What is served is what was read and checked, once. */
export async function loadSkill(
  catalog: Catalog,
  skill: SkillMetadata,
  args: string,
  { except, ...style }: BlockStyle & { readonly except: ReadonlySet<string> },
): Promise<SkillText | LoadFault> {
  const source = catalog.sourceOf(skill);
  const files = catalog.inCode(skill);
  const content = files
    ? readInCode(files, skill.dir, "SKILL.md", MAX_SKILL_BYTES)
    : readFoundSkill(source, source === skill.path ? skill.dir : null, MAX_SKILL_BYTES);
  if ("refusal" in content) return content;
  const { sha256 } = content;
  if (sha256 === undefined)
    return {
      refusal: "UNPARSABLE",
      message: `${skill.path} has ${content.size} bytes; at most ${MAX_SKILL_BYTES} are read.`,
    };
  const reading = await readingOf(content.bytes, skill);
  // The catalog has judged the name, perhaps by a link's folder.
  const wrong = reading.faults.find(
    (fault) => fault.fault !== "NAME_DIR_MISMATCH" && isError(fault, catalog.validationOf(skill)),
  );
  if (wrong) {
    const line = wrong.line === undefined ? "" : `:${wrong.line}`;
    return { refusal: "UNPARSABLE", message: `${skill.path}${line}: ${wrong.message}` };
  }
  // Permission was decided for the skill in the snapshot; with another name or switch the decision may differ.
  const isOther =
    catalog.nameOf(skill, reading.name) !== skill.name ||
    (reading.facts?.disableModelInvocation && !skill.disableModelInvocation) ||
    callsTool(reading.facts) !== callsTool(skill);
  if (isOther)
    return { refusal: "CHANGED", message: `${skill.path} has changed since the catalog was read.` };
  if (callsTool(skill)) return { refusal: "ACCESS_DENIED", message: notForModels(skill) };

  const expanded = applyArguments(reading.body, args);
  const listing = files
    ? listInCode(files, skill.dir)
    : listFiles(skill.dir, { ...catalog.config.skills.files, except });
  const block = renderSkillBlock({ ...skill, ...listing, body: expanded, ...style });
  return {
    content: expanded,
    block,
    sha256,
    mtimeMs: content.stats?.mtimeMs ?? 0,
    files: listing.files,
    filesTruncated: listing.truncated,
  };
}
