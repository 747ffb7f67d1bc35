import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import type { Fault } from "../shared/diagnostics.ts";
import { splitFrontmatter } from "./frontmatter.ts";
import { isValidName } from "./name.ts";
import { type FullReading, type Place, parseWholeSkill } from "./parse.ts";
import { REPAIRABLE } from "./skill-text.ts";
import { repairAt } from "./yaml/repair.ts";
import type { YamlMap } from "./yaml/simple-yaml.ts";
import { parseYaml } from "./yaml/yaml-profile.ts";

export interface FixedSkill {
  readonly bytes: Buffer;
  readonly fixed: readonly Fault[];
  readonly renamed?: { readonly from: string; readonly to: string };
}

/** Returns the text with one kind of fault fixed; `null` if the text has no such fault, or several ways to fix it. */
type Remedy = (text: string, reading: FullReading, place: Place) => string | null;

/** In this order: each can be tried once the text can be read that far. */
const REMEDIES: readonly Remedy[] = [removeMark, repairFences, quoteValues];

/**
 * Fixes each fault that has exactly one safe remedy, and touches no other byte; a step is kept only if the file says the same
 * as before, apart from the name. `renames`: the name may change.
 */
export function fixSkill(bytes: Buffer, place: Place, { renames }: { renames: boolean }): FixedSkill | null {
  if (!isUtf8(bytes)) return null;
  const read = (text: string): FullReading => parseWholeSkill(Buffer.from(text, "utf8"), place);
  let text = bytes.toString("utf8");
  let reading = read(text);
  const fixed: Fault[] = [];
  let renamed: FixedSkill["renamed"];
  for (const remedy of renames ? [...REMEDIES, nameAsFolder] : REMEDIES) {
    const next = remedy(text, reading, place);
    if (next === null) continue;
    const after = read(next);
    if (!isSafe(reading, after, remedy === nameAsFolder ? ["name"] : [])) continue;
    fixed.push(...goneFaults(text, next, reading, after));
    const { name } = reading.frontmatter;
    if (remedy === nameAsFolder && typeof name === "string" && name !== "")
      renamed = { from: name, to: after.name };
    [text, reading] = [next, after];
  }
  if (fixed.length === 0) return null;
  return { bytes: Buffer.from(text, "utf8"), fixed, ...(renamed ? { renamed } : {}) };
}

/** What could be read must say the same, with no new faults. */
function isSafe(before: FullReading, after: FullReading, changed: readonly string[]): boolean {
  if (!isReadable(before)) return true;
  const others = ({ frontmatter }: FullReading): unknown =>
    Object.entries(frontmatter).filter(([key]) => !changed.includes(key));
  const known = new Set(before.faults.map(({ fault }) => fault));
  return (
    before.body === after.body &&
    isDeepStrictEqual(others(before), others(after)) &&
    after.faults.every(({ fault }) => known.has(fault))
  );
}

function isReadable({ frontmatter, body }: FullReading): boolean {
  return body !== "" || Object.keys(frontmatter).length > 0;
}

function goneFaults(text: string, next: string, before: FullReading, after: FullReading): Fault[] {
  const left = new Set(after.faults.map(({ fault }) => fault));
  const gone = before.faults.filter(({ fault }) => !left.has(fault));
  if (!text.startsWith(MARK) || next.startsWith(MARK)) return gone;
  const message = "The file begins with a byte order mark, which some clients do not expect.";
  return [{ fault: "BOM", message, line: 1 }, ...gone];
}

const MARK = "\ufeff";

/** How many spaces a tab may stand for. */
const TAB_WIDTHS = [2, 4, 8];
/** Hostile frontmatter must not cost seconds; the largest of 8,000 real ones has 2,701 characters. */
const MAX_LENGTH = 16 * 1024;
const MAX_REPAIRS = 16;
const WORD = /^[\w.-]+$/;
const TAB_IN_INDENT = /^[ ]*\t[ \t]*/gm;

/** `null` where there is none, or too much. */
function yamlIn(text: string): { start: number; end: number; source: string } | null {
  const bytes = Buffer.from(text, "utf8");
  const split = splitFrontmatter(bytes);
  if ("fault" in split || split.yaml === null) return null;
  const start = bytes.toString("utf8", 0, split.yaml.start).length;
  const end = bytes.toString("utf8", 0, split.yaml.end).length;
  return end - start > MAX_LENGTH ? null : { start, end, source: text.slice(start, end) };
}

interface Readable {
  readonly text: string;
  readonly data: YamlMap;
}

/** Quotes values that need it, and replaces tabs in the indentation. */
function quoteValues(text: string): string | null {
  const yaml = yamlIn(text);
  if (yaml === null) return null;
  const { start, end, source } = yaml;
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

/** With quotes around each value that keeps it from being read. */
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

function removeMark(text: string): string | null {
  return text.startsWith("\ufeff") ? text.replace(/^\ufeff+/, "") : null;
}

/** Repairs the lines that begin and end the frontmatter, where it is clear what belongs to it. */
function repairFences(text: string, { faults }: FullReading, place: Place): string | null {
  const repaired = repairFence(text, faults[0]?.fault);
  if (repaired === null) return null;
  const readable = quoteValues(repaired) ?? repaired;
  const { name, description } = parseWholeSkill(Buffer.from(readable, "utf8"), place).frontmatter;
  return typeof name === "string" && typeof description === "string" ? repaired : null;
}

const BLANK_LINES_FIRST = /^(?:[ \t]*\r?\n)+(?=---[ \t]*\r?\n)/;
const YAML_NAMED = /^---[ \t]*ya?ml(?=[ \t]*\r?\n)/i;

function repairFence(text: string, fault: string | undefined): string | null {
  if (fault === "FM_UNTERMINATED") return closed(text);
  if (fault === "FM_MISSING" && BLANK_LINES_FIRST.test(text)) return text.replace(BLANK_LINES_FIRST, "");
  if (fault === "FM_LANG" && YAML_NAMED.test(text)) return text.replace(YAML_NAMED, "---");
  return null;
}

const KEY = /^[A-Za-z][\w-]*:(?:\s|$)/;
const PART_OF_VALUE = /^(?:[ \t]+\S|- )/;
/** Keys of frontmatter: a line below that begins with one could belong to it as well. */
const KNOWN_KEY =
  /^(?:name|description|summary|license|compatibility|metadata|version|allowed-tools|tools|model|command|command_tool|invocation_mode|requires_tools|eligibility|disable-model-invocation)[ \t]*:/m;

/** Closes the frontmatter before the first blank line or heading, where every line until there is part of a key. */
function closed(text: string): string | null {
  const lines = text.split("\n");
  const isEnd = (line: string): boolean => line.trim() === "" || /^#{1,6} /.test(line);
  const found = lines.findIndex((line, at) => at > 0 && isEnd(line));
  const end = found === -1 ? lines.length : found;
  const keys = lines.slice(1, end);
  const rest = lines.slice(end);
  const next = rest.find((line) => line.trim() !== "") ?? "";
  const isClear =
    KEY.test(keys[0] ?? "") &&
    keys.every((line) => KEY.test(line) || PART_OF_VALUE.test(line)) &&
    !KEY.test(next) &&
    // A heading right after a key could be a comment among keys, unless it stands alone.
    (rest[0]?.trim() === "" || (rest[1] ?? "").trim() === "") &&
    !/^(?:[ \t]|-{2,}\s*$|\.{3}\s*$)/.test(next) &&
    !KNOWN_KEY.test(rest.join("\n"));
  if (!isClear) return null;
  // The line ends of the file; its last line may have none, and keeps it so.
  const lineEnd = lines[0]?.endsWith("\r") ? "\r\n" : "\n";
  if (found === -1) return `${text}${lineEnd}---`;
  const before = lines.slice(0, end).join("\n");
  return `${before}\n---${lineEnd}${rest.join("\n")}`;
}

/** The key with its colon; the value with its quotes, if it has them; a comment. */
const NAME_LINE =
  /^((?:name|"name"|'name')[ \t]*:)([ \t]*)([^\s"'|>&*!{[#][^"'\r\n]*?|"[^"\\\r\n]*"|'[^'\r\n]*'|)([ \t]+#.*|[ \t]*)$/m;
const NAME_FAULTS: ReadonlySet<string> = new Set(["NAME_MISSING", "NAME_DIR_MISMATCH"]);
/** Other readers of YAML take it for a number, a date, a boolean or null. */
const NOT_TEXT = /^(?:\d.*|true|false|null|yes|no|on|off|y|n)$/;

/** Where that is a valid name, and the format wants them to be equal. */
function nameAsFolder(text: string, { faults }: FullReading, place: Place): string | null {
  const { folder } = place;
  if (!isValidName(folder) || !faults.some(({ fault }) => NAME_FAULTS.has(fault))) return null;
  const yaml = yamlIn(text);
  if (yaml === null) return null;
  const { start, end, source } = yaml;
  const named = withName(source, folder, text.slice(0, start).endsWith("\r\n"));
  const next = text.slice(0, start) + named + text.slice(end);
  return parseWholeSkill(Buffer.from(next, "utf8"), place).frontmatter.name === folder ? next : null;
}

function withName(source: string, name: string, isCrLf: boolean): string {
  const plain = NOT_TEXT.test(name) ? `'${name}'` : name;
  if (!NAME_LINE.test(source)) return `name: ${plain}${isCrLf ? "\r\n" : "\n"}${source}`;
  return source.replace(NAME_LINE, (_, key: string, gap: string, value: string, rest: string) => {
    const quote = /^["']/.exec(value)?.[0];
    return `${key}${gap || " "}${quote === undefined ? plain : quote + name + quote}${rest}`;
  });
}
