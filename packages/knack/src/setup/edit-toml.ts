import { parse, TomlError } from "smol-toml";
import { safeJson } from "../terminal/visible.ts";
import type { ServerEntry } from "./clients.ts";
import { lineEndOf } from "./edit-json.ts";
import { EditFault, type Editor, type Member, valueAt } from "./member.ts";

/** A TOML table: its header and a line for each key. */
export function tomlTable(keys: readonly string[], entry: ServerEntry): string[] {
  return [
    `[${keys.map(tomlKey).join(".")}]`,
    ...Object.entries(entry).map(([key, value]) => `${tomlKey(key)} = ${tomlValue(value)}`),
  ];
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : tomlString(key);
}

function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  if (typeof value !== "object" || value === null)
    return typeof value === "string" ? tomlString(value) : String(value);
  const members = Object.entries(value).map(([key, one]) => `${tomlKey(key)} = ${tomlValue(one)}`);
  return `{ ${members.join(", ")} }`;
}

/** TOML's basic strings escape as JSON's do, except that a character beyond the basic plane is one escape. */
function tomlString(word: string): string {
  const characters = [...word.toWellFormed()].map((character) => {
    const escaped = safeJson(character, 0).slice(1, -1);
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff && escaped !== character ? `\\U${code.toString(16).padStart(8, "0")}` : escaped;
  });
  return `"${characters.join("")}"`;
}

/**
 * Edits TOML by its lines. A server is a table of its own, so it is a block of lines from its header to the next one. A server
 * in any other form (an inline table, dotted keys) is not edited: the caller then shows what to paste.
 */
export const tomlEditor: Editor = {
  parse: readToml,
  put: (text, members) => members.reduce(putTable, text),
  drop: (text, members) => members.reduce(dropTable, text),
};

function readToml(text: string): ServerEntry {
  try {
    return structuredClone(parse(text, { integersAsBigInt: "asNeeded" }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new EditFault(reason, error.line);
  }
}

function putTable(text: string, member: Member): string {
  const lineEnd = lineEndOf(text);
  const table = tomlTable([...member.path, member.key], member.value).join(lineEnd);
  if (valueAt(readToml(text), member) !== undefined) {
    const { lines, from, to } = blockOf(text, member);
    const [last = ""] = lines.slice(to - 1, to);
    return [...lines.slice(0, from), table + endOf(last), ...lines.slice(to)].join("");
  }
  if (text.trim() === "") return text + table + lineEnd;
  const hasEnd = text.endsWith("\n");
  return `${text}${hasEnd ? "" : lineEnd}${lineEnd}${table}${hasEnd ? lineEnd : ""}`;
}

function dropTable(text: string, member: Member): string {
  if (valueAt(readToml(text), member) === undefined) return text;
  const { lines, from, to } = blockOf(text, member);
  const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === "";
  // The empty line that kept it apart goes with it.
  const first = from > 0 && isBlank(lines[from - 1]) && isBlank(lines[to]) ? from - 1 : from;
  const kept = [...lines.slice(0, first), ...lines.slice(to)].join("");
  const isLast = to === lines.length && !text.endsWith("\n");
  return isLast ? kept.replace(/\r?\n$/, "") : kept;
}

/** The lines of a table, with the tables below it, without the comments that stand before the next one. */
function blockOf(text: string, { path, key }: Member) {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const headers = lines.flatMap((line, at) => {
    const keys = headerKeys(line);
    // A line in a string or a list that only looks like a header comes after a text that is not whole.
    return keys && isWhole(lines.slice(0, at).join("")) ? [{ at, keys }] : [];
  });
  const own = [...path, key];
  const isOwn = (keys: readonly string[]): boolean => own.every((one, place) => keys[place] === one);
  const first = headers.findIndex(({ keys }) => isOwn(keys));
  if (first === -1) throw new EditFault(`the server "${key}" is not a table of its own`);
  const next = headers.findIndex(({ keys }, place) => place > first && !isOwn(keys));
  let to = next === -1 ? lines.length : (headers[next]?.at ?? lines.length);
  const from = headers[first]?.at ?? 0;
  while (to > from + 1 && /^\s*(?:#|$)/.test(lines[to - 1] ?? "")) to--;
  return { lines, from, to };
}

/** The keys of a table's header; `undefined` for any other line. */
function headerKeys(line: string): string[] | undefined {
  if (!/^\s*\[/.test(line)) return undefined;
  try {
    const keys: string[] = [];
    let inner: unknown = parse(line);
    while (typeof inner === "object" && inner !== null && !Array.isArray(inner)) {
      const [[key, value] = []] = Object.entries(inner);
      if (key === undefined) break;
      keys.push(key);
      inner = value;
    }
    return keys;
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}

function isWhole(text: string): boolean {
  try {
    parse(text, { integersAsBigInt: "asNeeded" });
    return true;
  } catch (error) {
    if (error instanceof TomlError) return false;
    throw error;
  }
}

const endOf = (line: string): string => /\r?\n$/.exec(line)?.[0] ?? "";
