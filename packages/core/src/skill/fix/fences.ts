import { type FullReading, type Place, parseWholeSkill } from "../parse.ts";
import { quoteValues } from "./quote-values.ts";

/** Removes the byte order mark, which some editors put before UTF-8. */
export function removeMark(text: string): string | null {
  return text.startsWith("\ufeff") ? text.replace(/^\ufeff+/, "") : null;
}

/** Repairs the lines that begin and end the frontmatter, where it is clear what belongs to it. */
export function repairFences(text: string, { faults }: FullReading, place: Place): string | null {
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

/**
 * Adds the closing fence after the keys: before the first blank line or heading, or at the end of the file. Only where every
 * line until there is part of a key, and nothing after it could be.
 */
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
