import { isUtf8 } from "node:buffer";
import { encodingOf, endOfWhole } from "./text-encoding.ts";

const BINARY = "application/octet-stream";

/** What a name may say of a text: it never makes a text of something else. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  c: "text/x-c",
  cpp: "text/x-c++",
  css: "text/css",
  csv: "text/csv",
  diff: "text/x-diff",
  go: "text/x-go",
  h: "text/x-c",
  htm: "text/html",
  html: "text/html",
  java: "text/x-java",
  js: "text/javascript",
  json: "application/json",
  jsonl: "application/jsonl",
  jsx: "text/jsx",
  liquid: "text/x-liquid",
  markdown: "text/markdown",
  md: "text/markdown",
  mjs: "text/javascript",
  patch: "text/x-diff",
  py: "text/x-python",
  rs: "text/x-rust",
  sh: "application/x-sh",
  sql: "application/sql",
  svg: "image/svg+xml",
  tex: "application/x-tex",
  toml: "application/toml",
  ts: "text/x-typescript",
  tsv: "text/tab-separated-values",
  tsx: "text/x-typescript",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
};
const MARKUP = new Set(["html", "htm", "xhtml", "svg", "xml", ""]);

/** The type of what no magic number tells: one of the kinds of text, or bytes. `whole`: the head is all there is. */
export function textType(head: Buffer, whole: boolean, extension: string): string {
  const { encoding, start } = encodingOf(head);
  if (encoding !== "utf-8") return `text/plain; charset=${encoding}`;
  const bytes = head.subarray(start, whole ? head.length : Math.max(start, endOfWhole(head)));
  if (!isUtf8(bytes)) return BINARY;
  const text = bytes.toString("utf8");
  // What a text never holds; ESC and form feed do occur, in logs and in old documents.
  if (/[\0-\x06\x0e-\x1a\x1c-\x1f]/.test(text)) return BINARY;
  return (
    markupType(text, extension) ??
    jsonType(text, whole) ??
    BY_EXTENSION[extension] ??
    tableType(text) ??
    "text/plain"
  );
}

function markupType(text: string, extension: string): string | undefined {
  const start = markupStart(text);
  if (text[start] !== "<") return undefined;
  const opening = text.slice(start, start + 4096);
  if (/^<(?:!doctype html|html|head|body)\b/i.test(opening)) return "text/html";
  if (/^<svg[\s>]/.test(opening) || /^<!doctype svg/i.test(opening)) return "image/svg+xml";
  if (opening.startsWith("<?xml")) {
    if (/<svg[\s>]/.test(opening)) return "image/svg+xml";
    return /<html[\s>]/.test(opening) ? "application/xhtml+xml" : "application/xml";
  }
  // A piece of a page; Markdown may begin with one too, and then its name says so.
  const piece = /^<(?:div|p|h[1-6]|table|ul|ol|section|article|main|title|meta|script|style|span)[\s>]/i;
  return MARKUP.has(extension) && piece.test(opening) ? "text/html" : undefined;
}

/** Behind white space and comments. */
function markupStart(text: string): number {
  for (let at = 0; ; ) {
    while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
    if (!text.startsWith("<!--", at)) return at;
    const end = text.indexOf("-->", at + 4);
    if (end === -1) return text.length;
    at = end + 3;
  }
}

function jsonType(text: string, whole: boolean): string | undefined {
  const trimmed = text.trimStart();
  if (trimmed[0] !== "{" && trimmed[0] !== "[") return undefined;
  if (!whole)
    return /^(?:\{\s*"[^"\\\n]*"\s*:|\[\s*(?:[[{"\d]|-\d|true|false|null))/.test(trimmed)
      ? "application/json"
      : undefined;
  try {
    JSON.parse(trimmed);
    return "application/json";
  } catch {
    // Not JSON, then: a text may begin with a bracket.
    return undefined;
  }
}

/** At least two lines of the same number of fields, by the separator that is not followed by a space as in prose. */
function tableType(text: string): string | undefined {
  const lines = text.split(/\r?\n/, 21).slice(0, 20);
  if (text.length > 0 && lines.length < 21) lines.pop();
  if (lines.length < 2 || lines.some((line) => line.length > 4096)) return undefined;
  for (const [separator, type] of [
    ["\t", "text/tab-separated-values"],
    [",", "text/csv"],
    [";", "text/csv"],
  ] as const) {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, "").split(separator).length - 1);
    const [count = 0] = counts;
    if (count < (lines.length > 3 ? 1 : 2) || counts.some((other) => other !== count)) continue;
    if (!lines.some((line) => line.includes(`${separator} `))) return type;
  }
  return undefined;
}
