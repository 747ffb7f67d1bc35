import { pathToFileURL } from "node:url";
import { escapePath, escapeXml, oneLine } from "./escape.ts";
import { thousands } from "./thousands.ts";
import { escapeWrapperTags } from "./wrapper-tags.ts";

/** A loaded skill as a model gets it: document 004 §6.2. */
export interface SkillBlock {
  readonly name: string;
  /** Absolute path of the `SKILL.md`. */
  readonly path: string;
  /** Absolute path of the skill's folder. */
  readonly dir: string;
  /** The body of the skill, with its arguments. */
  readonly body: string;
  /** Absolute paths of the files that come with it. */
  readonly files: readonly string[];
  readonly filesTruncated?: FilesTruncated | undefined;
  /** The tool of the typed skill with the same name. */
  readonly runsAs?: string | undefined;
}

interface FilesTruncated {
  /** How many files are not listed. */
  readonly count: number;
  /** Some of them, which the block names. */
  readonly omitted: readonly { readonly path: string; readonly size: number }[];
}

/** More names would not be a short note any more. */
const NAMED_OMITTED = 5;

export function renderSkillBlock(skill: SkillBlock): string {
  const name = escapeXml(oneLine(skill.name));
  const head = `<skill_context name="${name}" path="${escapePath(skill.path)}">\n${escapeWrapperTags(skill.body)}`;
  return [
    head + lineEndsToBlankLine(head),
    `Base directory: ${folderUrl(skill.dir)}\n`,
    "Relative paths in this skill are resolved from this directory.\n",
    ...(skill.runsAs === undefined
      ? []
      : [`The tool ${escapeXml(oneLine(skill.runsAs))} runs this skill.\n`]),
    ...fileLines(skill),
    "</skill_context>",
  ].join("");
}

/** The body keeps its own line ends; this adds what is missing for one blank line after it. */
function lineEndsToBlankLine(text: string): string {
  if (!text.endsWith("\n")) return "\n\n";
  return text.endsWith("\n\n") || text.endsWith("\n\r\n") ? "" : "\n";
}

/** Of the characters that mean something in XML a URL leaves these two as they are; in a URL their code is the same. */
function folderUrl(dir: string): string {
  const url = pathToFileURL(dir).href.replaceAll("&", "%26").replaceAll("'", "%27");
  return url.endsWith("/") ? url : `${url}/`;
}

function fileLines({ files, filesTruncated }: SkillBlock): string[] {
  const lines = files.map((path) => `<file>${escapePath(path)}</file>\n`);
  if (filesTruncated && filesTruncated.count > 0) lines.push(`${notListed(filesTruncated)}\n`);
  return lines.length === 0 ? [] : ["<skill_files>\n", ...lines, "</skill_files>\n"];
}

function notListed({ count, omitted }: FilesTruncated): string {
  const named = omitted
    .slice(0, NAMED_OMITTED)
    .map(({ path, size }) => `${escapePath(path)} (${thousands(size)} byte${size === 1 ? "" : "s"})`);
  const sentence = `${thousands(count)} more file${count === 1 ? " is" : "s are"} not listed`;
  if (named.length === 0) return `${sentence}.`;
  return `${sentence}${named.length < count ? ", among them" : ""}: ${named.join(", ")}.`;
}

/** The answer to a repeated load: document 004 §6.3. */
export function renderReminder({ name, ref }: { readonly name: string; readonly ref: string }): string {
  return (
    `The skill "${escapeXml(oneLine(name))}" is already loaded in this conversation and has not changed since. ` +
    `If its text is no longer in view, skill_load with ref "${escapeXml(oneLine(ref))}" gives it again.`
  );
}
