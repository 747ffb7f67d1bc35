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

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;

/** The headings of a Markdown text and what is prose in it. `firstLine` is the line of the file on which it begins. */
export function outlineOf(text: string, firstLine: number): MarkdownOutline {
  const lines = text.split("\n");
  const headings: Heading[] = [];
  const prose = lines.map(() => "");
  const fences = new MarkdownLines();
  let comment = false;
  let paragraph = false;
  for (const [index, given] of lines.entries()) {
    if (!comment && fences.isCode(given)) {
      paragraph = false;
      continue;
    }
    const { line, open } = withoutComments(given, comment);
    comment = open;
    // Four spaces are code, except in the middle of a paragraph.
    if (!paragraph && /^(?: {4}|\t)\S/.test(line)) continue;
    prose[index] = line;
    const atx = HEADING.exec(line);
    if (atx) {
      const [, marks = "#", text = ""] = atx;
      headings.push({ level: marks.length, text: plainHeading(text), line: firstLine + index });
      paragraph = false;
    } else if (paragraph && UNDERLINE.test(line)) {
      const level = line.includes("=") ? 1 : 2;
      headings.push({ level, text: plainHeading(prose[index - 1] ?? ""), line: firstLine + index - 1 });
      paragraph = false;
    } else paragraph = line.trim() !== "" && !/^ {0,3}(?:>|[-*+] |\d{1,9}[.)] |\|)/.test(line);
  }
  return { headings, prose };
}

/** A line with blanks where comments are, so that columns stay right. */
function withoutComments(given: string, open: boolean): { line: string; open: boolean } {
  if (!open && !given.includes("<!--")) return { line: given, open };
  let line = "";
  for (let at = 0; ; ) {
    if (open) {
      const end = given.indexOf("-->", at);
      if (end === -1) return { line: line + " ".repeat(given.length - at), open: true };
      line += " ".repeat(end + 3 - at);
      at = end + 3;
    }
    const start = given.indexOf("<!--", at);
    if (start === -1) return { line: line + given.slice(at), open: false };
    line += given.slice(at, start);
    at = start;
    open = true;
  }
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
