import { closingRuns, decodeUri } from "@knack/core/text";
import type { MarkdownFinding, MarkdownOutline } from "./markdown.ts";

/** What the document alone can tell: whether a relative link leads somewhere is not checked, only that it is well formed. */
export function checkLinks(outline: MarkdownOutline, firstLine: number): MarkdownFinding[] {
  const findings: MarkdownFinding[] = [];
  const ids = headingIds(outline);
  const given = new Set<string>();
  for (const { id, line } of givenIds(outline, firstLine)) {
    const message = `The id "${clip(id)}" is given twice.`;
    if (given.has(id)) findings.push({ rule: "link_duplicate_id", line, message });
    given.add(id);
    ids.add(id);
  }
  const links = linksIn(outline.prose, firstLine);
  const defined = new Set(links.filter(({ kind }) => kind === "definition").map(({ text }) => text));
  for (const link of links) {
    const [rule, message] = problemOf(link, ids, defined) ?? [];
    if (rule && message) findings.push({ rule, line: link.line, message });
  }
  return findings;
}

function problemOf(
  { kind, target, text, image }: Link,
  ids: ReadonlySet<string>,
  defined: ReadonlySet<string>,
): readonly [rule: string, message: string] | undefined {
  const name = `${image ? "picture" : "link"} "${clip(text)}"`;
  if (kind === "unclosed") return ["link_unclosed", `The ${name} is never closed; add ")".`];
  if (kind === "reference") {
    if (defined.has(target)) return undefined;
    return ["link_reference", `The ${name} refers to [${clip(target)}], which is not defined.`];
  }
  if (target === "") return ["link_empty", `The ${name} has no target.`];
  if (target.startsWith("#")) {
    if (target === "#top" || ids.has(decodeUri(target.slice(1)) ?? "")) return undefined;
    return ["link_anchor", `The ${name} points to "${clip(target)}", but no heading or id has that name.`];
  }
  if (isWellFormed(target)) return undefined;
  return ["link_malformed", `The ${name} points to "${clip(target)}", which is not a well-formed address.`];
}

function isWellFormed(target: string): boolean {
  if (/[\s<>]/.test(target) || decodeUri(target) === undefined) return false;
  return /^[a-z][a-z0-9+.-]*:/i.test(target) ? URL.canParse(target) : URL.canParse(target, "file:///");
}

function clip(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…`.toWellFormed() : text;
}

interface Link {
  readonly text: string;
  /** As written; for a reference its label, in lower case. */
  readonly target: string;
  readonly kind: "inline" | "reference" | "definition" | "unclosed";
  readonly image: boolean;
  readonly line: number;
}

const DEFINITION = /^ {0,3}\[([^\]]+)\]:[ \t]*(\S*)/;
/** Longer lines are data, not prose, and looking for pairs in them could take long. */
const MAX_LINE = 10_000;

/** The links, pictures and references in lines of prose. A link that spans lines is not seen. */
function linksIn(prose: readonly string[], firstLine: number): Link[] {
  const links: Link[] = [];
  for (const [index, given] of prose.entries()) {
    if (!given.includes("[") || given.length > MAX_LINE) continue;
    const line = firstLine + index;
    const definition = DEFINITION.exec(given);
    if (definition && !definition[1]?.startsWith("^")) {
      const target = (definition[2] ?? "").replace(/^<(.*)>$/, "$1");
      links.push({ text: label(definition[1] ?? ""), target, kind: "definition", image: false, line });
      continue;
    }
    linksOfLine(withoutCode(given), line, links);
  }
  return links;
}

function linksOfLine(text: string, line: number, links: Link[]): void {
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "[") open.push(at);
    else if (char === "]") {
      const start = open.pop();
      if (start === undefined) continue;
      const image = text[start - 1] === "!" && text[start - 2] !== "\\";
      const inner = text.slice(start + 1, at);
      if (text[at + 1] === "(") {
        const end = closingParenthesis(text, at + 2);
        const kind = end === -1 ? "unclosed" : "inline";
        const target = destination(text.slice(at + 2, end === -1 ? text.length : end));
        links.push({ text: inner, target, kind, image, line });
        if (end === -1) return;
        at = end;
      } else if (text[at + 1] === "[") {
        const end = text.indexOf("]", at + 2);
        if (end === -1) continue;
        const target = label(text.slice(at + 2, end)) || label(inner);
        links.push({ text: inner, target, kind: "reference", image, line });
        at = end;
      }
    }
  }
}

function closingParenthesis(text: string, from: number): number {
  let depth = 1;
  let quote: string | undefined;
  const angle = text[from] === "<" ? text.indexOf(">", from) : -1;
  for (let at = angle === -1 ? from : angle; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (quote !== undefined) quote = char === quote ? undefined : quote;
    else if ((char === '"' || char === "'") && /\s/.test(text[at - 1] ?? "")) quote = char;
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at;
  }
  return -1;
}

/** Without the title. */
function destination(inside: string): string {
  const text = inside.trim();
  if (text.startsWith("<")) return text.slice(1, text.includes(">") ? text.indexOf(">") : text.length);
  const last = text.at(-1) ?? "";
  const opening = last === ")" ? "(" : last;
  if (opening !== "(" && opening !== '"' && opening !== "'") return text;
  const start = text.lastIndexOf(opening, text.length - 2);
  return start > 0 && /\s/.test(text[start - 1] ?? "") ? text.slice(0, start).trimEnd() : text;
}

function label(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

function withoutCode(line: string): string {
  const closing = closingRuns(line);
  let out = "";
  let at = 0;
  for (const { index, 0: run } of line.matchAll(/`+/g)) {
    const close = closing.get(index);
    if (index < at || close === undefined || line[index - 1] === "\\") continue;
    out += line.slice(at, index);
    at = close + run.length;
  }
  return out + line.slice(at);
}

const ID = /<[a-z][^<>]*?\s(?:id|name)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/gi;

/** Ids written by hand, to which `#…` can point. */
function* givenIds({ prose }: MarkdownOutline, firstLine: number): Generator<{ id: string; line: number }> {
  for (const [index, line] of prose.entries()) {
    if (!line.includes("<") || line.length > MAX_LINE) continue;
    for (const [, double, single, bare] of line.matchAll(ID))
      yield { id: double ?? single ?? bare ?? "", line: firstLine + index };
  }
}

/** The ids of headings, named as code hosts name them. */
function headingIds({ headings }: MarkdownOutline): Set<string> {
  const ids = new Set<string>();
  const counts = new Map<string, number>();
  for (const { text } of headings) {
    const slug = slugOf(text);
    let count = counts.get(slug) ?? 0;
    let id = count === 0 ? slug : `${slug}-${count}`;
    while (ids.has(id)) id = `${slug}-${++count}`;
    counts.set(slug, count + 1);
    ids.add(id);
  }
  return ids;
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replace(/ /g, "-");
}
