import { MarkdownLines } from "@knack/core/text";
import { unixLines } from "./text-artifact.ts";

/** Something that a document does not have as it should, and where: the line of the file, its front matter counted. */
export interface MarkdownFinding {
  readonly rule: string;
  readonly line: number;
  readonly message: string;
}

export interface Heading {
  readonly level: number;
  /** Without marks for emphasis and code, on one line, in normal form C. */
  readonly text: string;
  readonly line: number;
}

export interface MarkdownOutline {
  readonly headings: readonly Heading[];
  /** The lines that are prose: neither code nor comments, which are empty here. */
  readonly prose: readonly string[];
}

/** The headings of a Markdown text and what is prose in it. `firstLine` is the line of the file on which it begins. */
export function outlineOf(text: string, firstLine: number): MarkdownOutline {
  const headings: Heading[] = [];
  const prose: string[] = [];
  const reader = new MarkdownLines();
  let isInComment = false;
  for (const [index, given] of text.split("\n").entries()) {
    const kind = isInComment ? "text" : reader.read(given);
    const isCode = kind === "code" || kind === "indented";
    const said: Said = isCode ? NOTHING : withoutComments(given, isInComment);
    isInComment = said.isOpen;
    prose.push(said.line);
    if (kind === "heading") {
      const [, marks = "#", title = ""] =
        /^[ ]*(#{1,6})(.*)/.exec(withoutComments(reader.rest, false).line) ?? [];
      headings.push({ level: marks.length, text: plainHeading(title), line: firstLine + index });
    } else if (kind === "underline") {
      const title = plainHeading(prose[index - 1] ?? "");
      headings.push({ level: given.includes("=") ? 1 : 2, text: title, line: firstLine + index - 1 });
    }
  }
  return { headings, prose };
}

interface Said {
  readonly line: string;
  readonly isOpen: boolean;
}

const NOTHING: Said = { line: "", isOpen: false };

/** A line without what is in comments; `isOpen`: whether one goes on behind it. */
function withoutComments(given: string, isOpen: boolean): Said {
  let line = "";
  let isComment = isOpen;
  for (let at = 0; at < given.length; isComment = !isComment) {
    const mark = given.indexOf(isComment ? "-->" : "<!--", at);
    if (!isComment) line += given.slice(at, mark === -1 ? given.length : mark);
    if (mark === -1) break;
    at = isComment ? mark + 3 : mark;
  }
  return { line, isOpen: isComment };
}

/** Also without closing #s. */
export function plainHeading(text: string): string {
  let end = text.trimEnd().length;
  while (end > 0 && text[end - 1] === "#") end--;
  const closed = end === 0 || /[ \t]/.test(text[end - 1] ?? "") ? text.slice(0, end) : text;
  return closed
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/[*_`]+/g, (marks, at: number) =>
      marks.startsWith("_") && /\w/.test(closed[at - 1] ?? "") && /\w/.test(closed[at + marks.length] ?? "")
        ? marks
        : "",
    )
    .replace(/\s+/g, " ")
    .trim()
    .normalize("NFC");
}

export interface FrontMatter {
  /** What is between the fences; `null` where there are none. */
  readonly source: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** The line of a value by its path; of the nearest parent that has one otherwise. */
  lineOf(path: readonly PropertyKey[]): number;
  readonly body: string;
  /** The line of the file on which the body begins. */
  readonly bodyLine: number;
  readonly fault: { readonly message: string; readonly line: number } | null;
}

/** Divides a text at its front matter, by the strict YAML profile that skills are read with. */
export async function readFrontMatter(given: string): Promise<FrontMatter> {
  const text = unixLines(given);
  const none: FrontMatter = { source: null, data: {}, lineOf: () => 1, body: text, bodyLine: 1, fault: null };
  if (!text.startsWith("---")) return none;
  const { parseYaml, splitFrontmatter } = await import("@knack/core/yaml");
  const bytes = Buffer.from(text);
  const split = splitFrontmatter(bytes);
  if ("fault" in split) return { ...none, fault: { message: split.message, line: split.line ?? 1 } };
  if (!split.yaml) return none;
  const source = bytes.toString("utf8", split.yaml.start, split.yaml.end);
  const body = bytes.toString("utf8", split.bodyStart);
  const bodyLine = bytes.toString("utf8", 0, split.bodyStart).split("\n").length;
  const parsed = parseYaml(source, "core", 2);
  if ("fault" in parsed) {
    const fault = { message: parsed.message, line: parsed.line ?? 1 };
    return { source, data: {}, lineOf: () => 1, body, bodyLine, fault };
  }
  return { source, data: parsed.data, lineOf: (path) => parsed.lineOf(path), body, bodyLine, fault: null };
}
