import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import { KnackError } from "../../shared/errors.ts";
import { pluralize } from "../../shared/quote.ts";
import type { FileListing } from "../files/list-files.ts";
import { escapePath, escapeWrapperTags, escapeXml, oneLine } from "./escape.ts";

export interface BlockStyle {
  /** The tool of the typed skill with the same name. */
  readonly runsAs?: string | undefined;
  /** How files are named: as they are on this machine, from the skill's folder, or not at all. */
  readonly paths?: "absolute" | "relative" | "none";
}

interface SkillBlock extends BlockStyle, Pick<FileListing, "files" | "omitted" | "omittedCount"> {
  readonly name: string;
  readonly path: string;
  readonly dir: string;
  readonly body: string;
}

const NAMED_OMITTED = 5;

export function renderSkillBlock(skill: SkillBlock): string {
  const name = escapeXml(oneLine(skill.name));
  const isAbsolute = (skill.paths ?? "absolute") === "absolute";
  const path = isAbsolute ? ` path="${escapePath(skill.path)}"` : "";
  const head = `<skill_context name="${name}"${path}>\n${escapeWrapperTags(skill.body)}`;
  return [
    head + lineEndsToBlankLine(head),
    ...(isAbsolute
      ? [
          `Base directory: ${folderUrl(skill.dir)}\n`,
          "Relative paths in this skill are resolved from this directory.\n",
        ]
      : []),
    ...(skill.runsAs === undefined
      ? []
      : [`The tool ${escapeXml(oneLine(skill.runsAs))} runs this skill.\n`]),
    ...fileLines(skill),
    "</skill_context>",
  ].join("");
}

/** What is missing for a blank line after the body. */
function lineEndsToBlankLine(text: string): string {
  if (!text.endsWith("\n")) return "\n\n";
  return text.endsWith("\n\n") || text.endsWith("\n\r\n") ? "" : "\n";
}

/** XML would read these two as markup; in a URL their codes mean the same. */
function folderUrl(dir: string): string {
  const url = pathToFileURL(dir).href.replaceAll("&", "%26").replaceAll("'", "%27");
  return url.endsWith("/") ? url : `${url}/`;
}

function fileLines({ files, dir, paths, ...rest }: SkillBlock): string[] {
  if (paths === "none") return [];
  const named = (path: string): string => (paths === "relative" ? relative(dir, path) : path);
  const lines = files.map((path) => `<file>${escapePath(named(path))}</file>\n`);
  if (rest.omittedCount > 0) lines.push(`${notListed(rest)}\n`);
  return lines.length === 0 ? [] : ["<skill_files>\n", ...lines, "</skill_files>\n"];
}

function notListed({ omittedCount: count, omitted }: Pick<SkillBlock, "omittedCount" | "omitted">): string {
  const named = omitted
    .slice(0, NAMED_OMITTED)
    .map(({ path, size }) => `${escapePath(path)} (${pluralize(size, "byte")})`);
  const sentence = `${pluralize(count, "more file")} ${count === 1 ? "is" : "are"} not listed`;
  if (named.length === 0) return `${sentence}.`;
  return `${sentence}${named.length < count ? ", among them" : ""}: ${named.join(", ")}.`;
}

/** The answer to a repeated load. */
export function renderReminder({ name, ref }: { readonly name: string; readonly ref: string }): string {
  return (
    `The skill "${escapeXml(oneLine(name))}" is already loaded in this conversation and has not changed since. ` +
    `If its text is no longer in view, skill_load with ref "${escapeXml(oneLine(ref))}" gives it again.`
  );
}

/** Not in a longer name (`$ARGUMENTS_FILE`) or with an index (`$ARGUMENTS[0]`); `$ARGUMENTSを読む` counts. */
const PLACEHOLDER = /\$ARGUMENTS(?![A-Za-z0-9_]|\[[0-9])/g;

/** Placeholders times arguments could exceed memory; no model reads this much. */
const MAX_ADDED = 8 * 1024 * 1024;

/** In place of every `$ARGUMENTS`, else as a last section. One pass, so nothing in the arguments is read as a placeholder. */
export function applyArguments(body: string, args: string): string {
  const places = body.match(PLACEHOLDER)?.length ?? 0;
  if (places > 0) {
    if (places * args.length > MAX_ADDED) throw tooLong(places, args);
    return body.replace(PLACEHOLDER, () => args);
  }
  if (args === "") return body;
  const text = withoutLastLineEnds(body);
  return `${text}${text === "" ? "" : "\n\n"}ARGUMENTS: ${args}`;
}

function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n" || text[end - 1] === "\r") end--;
  return text.slice(0, end);
}

function tooLong(places: number, args: string): KnackError {
  return new KnackError(
    "INVALID_PARAM",
    `The skill has $ARGUMENTS in ${pluralize(places, "place")}, too many for arguments of ${args.length} characters; give shorter arguments.`,
  );
}
