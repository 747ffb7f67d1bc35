import { isDeepStrictEqual } from "node:util";
import { splitFrontmatter } from "../frontmatter.ts";
import { REPAIRABLE } from "../skill-text.ts";
import { repairAt } from "../yaml/repair.ts";
import { parseYaml } from "../yaml/yaml-profile.ts";
import type { YamlMap } from "../yaml/yaml-value.ts";

/** How many spaces a tab may stand for. */
const TAB_WIDTHS = [2, 4, 8];
/** Hostile frontmatter must not cost seconds; the largest of 8,000 real ones has 2,701 characters. */
const MAX_LENGTH = 16 * 1024;
const MAX_REPAIRS = 16;
const WORD = /^[\w.-]+$/;
const TAB_IN_INDENT = /^[ ]*\t[ \t]*/gm;

interface Readable {
  readonly text: string;
  readonly data: YamlMap;
}

/** Puts values into quotes that need them, and spaces for tabs in the indentation, in YAML that cannot be read as it is. */
export function quoteValues(text: string): string | null {
  const bytes = Buffer.from(text, "utf8");
  const split = splitFrontmatter(bytes);
  if ("fault" in split || split.yaml === null) return null;
  const start = bytes.toString("utf8", 0, split.yaml.start).length;
  const end = bytes.toString("utf8", 0, split.yaml.end).length;
  const source = text.slice(start, end);
  if (source.length > MAX_LENGTH) return null;
  const lines = source.split("\n");
  const plain = source.replaceAll("\r\n", "\n");
  if (plain.includes("\r") || !("fault" in parseYaml(plain, "failsafe", 1))) return null;
  const readable = withoutTabs(plain);
  // Where the closing fence is missing, text up to the next line of dashes looks like YAML: "It does this:" is no key.
  if (readable === null || !Object.keys(readable.data).every((key) => WORD.test(key))) return null;
  // No line comes or goes, so each keeps its line end.
  const repaired = readable.text
    .split("\n")
    .map((line, at) => (lines[at]?.endsWith("\r") ? `${line}\r` : line));
  return text.slice(0, start) + repaired.join("\n") + text.slice(end);
}

/** Every width of a tab that makes the text readable must make it say the same. */
function withoutTabs(text: string): Readable | null {
  if (text.search(TAB_IN_INDENT) === -1) return quoted(text);
  const found = TAB_WIDTHS.flatMap((width) => {
    const spaced = text.replaceAll(TAB_IN_INDENT, (indent) => indent.replaceAll("\t", " ".repeat(width)));
    return quoted(spaced) ?? [];
  });
  const [first, ...others] = found;
  return first && others.every(({ data }) => isDeepStrictEqual(data, first.data)) ? first : null;
}

/** The text with quotes around each value that keeps it from being read, one after the other. */
function quoted(text: string): Readable | null {
  let repaired = text;
  for (let count = 0; count <= MAX_REPAIRS; count++) {
    const document = parseYaml(repaired, "failsafe", 1);
    if (!("fault" in document)) return { text: repaired, data: document.data };
    if (!REPAIRABLE.has(document.fault) || document.line === undefined) return null;
    const next = repairAt(repaired, document.line);
    if (next === null) return null;
    repaired = next.text;
  }
  return null;
}
