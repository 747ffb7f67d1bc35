import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@knack/core/text";
import { parse, TomlError } from "smol-toml";
import { safeJson } from "../terminal/visible.ts";
import type { ServerEntry } from "./client-file.ts";
import { lineEndOf } from "./edit-json.ts";
import { type EditFault, type Editor, holderAt, type Member, valueAt } from "./plan-change.ts";

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
 * Edits TOML by its lines. A server is a table of its own, so it is a block of lines from its header to the next one; a setting is
 * a line of its table. What has another form (an inline table, dotted keys) is not edited: the caller then shows what to paste.
 */
export function tomlEditor(fault: EditFault): Editor {
  const read = (text: string): ServerEntry => {
    const found = parseToml(text);
    if (!(found instanceof TomlError)) return structuredClone(found);
    const [reason = ""] = found.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw fault(reason, found.line);
  };
  const requireBlock = (text: string, member: Member): Block => {
    const block = isRecord(member.value) ? blockOf(text, member) : lineOf(text, member);
    if (block) return block;
    throw fault(`"${member.key}" is not ${isRecord(member.value) ? "a table" : "a line"} of its own`);
  };
  const put = (text: string, member: Member): string => {
    const lineEnd = lineEndOf(text);
    const { path, key, value } = member;
    const setting = isRecord(value) ? undefined : `${tomlKey(key)} = ${tomlValue(value)}`;
    const table = isRecord(value)
      ? tomlTable([...path, key], value).join(lineEnd)
      : `[${path.map(tomlKey).join(".")}]${lineEnd}${setting}`;
    const found = valueAt(read(text), member);
    if (isDeepStrictEqual(found, value)) return text;
    if (found !== undefined) {
      const { lines, from, to } = requireBlock(text, member);
      const end = /\r?\n$/.exec(lines[to - 1] ?? "")?.[0] ?? "";
      return [...lines.slice(0, from), (setting ?? table) + end, ...lines.slice(to)].join("");
    }
    const header = setting === undefined ? undefined : headerOf(text, path);
    if (header) {
      const { lines, from } = header;
      const line = lines[from] ?? "";
      const after = line.endsWith("\n") ? `${setting}${lineEnd}` : `${lineEnd}${setting}`;
      return [...lines.slice(0, from + 1), after, ...lines.slice(from + 1)].join("");
    }
    if (text.trim() === "") return text + table + lineEnd;
    const hasEnd = text.endsWith("\n");
    return `${text}${hasEnd ? "" : lineEnd}${lineEnd}${table}${hasEnd ? lineEnd : ""}`;
  };
  const drop = (text: string, member: Member, keeps: (path: readonly string[]) => boolean): string => {
    if (valueAt(read(text), member) === undefined) return text;
    const { lines, from, to } = requireBlock(text, member);
    const header = isRecord(member.value) || keeps(member.path) ? undefined : headerOf(text, member.path);
    // A table that has nothing else goes too.
    const isAlone = header !== undefined && header.from === from - 1 && header.to <= to;
    return cutLines(text, lines, isAlone ? from - 1 : from, to);
  };
  return {
    fault,
    parse: read,
    put: (text, members) => members.reduce(put, text),
    drop: (text, members, keeps) => members.reduce((now, member) => drop(now, member, keeps), text),
  };
}

/** The text without some lines, and without the empty line that kept them apart. */
function cutLines(text: string, lines: readonly string[], from: number, to: number): string {
  const isApart = from > 0 && lines[from - 1]?.trim() === "" && (lines[to] ?? "").trim() === "";
  const kept = [...lines.slice(0, isApart ? from - 1 : from), ...lines.slice(to)].join("");
  const isLast = to === lines.length && !text.endsWith("\n");
  return isLast ? kept.replace(/\r?\n$/, "") : kept;
}

function parseToml(text: string): ServerEntry | TomlError {
  try {
    return parse(text, { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
}

interface Block {
  readonly lines: readonly string[];
  readonly from: number;
  readonly to: number;
}

interface Header {
  readonly at: number;
  readonly table: ServerEntry;
}

function headersOf(text: string): { readonly lines: readonly string[]; readonly headers: readonly Header[] } {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const headers = lines.flatMap((line, at) => {
    const table = /^\s*\[/.test(line) ? parseToml(line) : undefined;
    if (table === undefined || table instanceof TomlError) return [];
    // A line in a string or a list that only looks like a header comes after a text that is not whole.
    return parseToml(lines.slice(0, at).join("")) instanceof TomlError ? [] : [{ at, table }];
  });
  return { lines, headers };
}

/** The lines of a table, with the tables below it, without the comments that stand before the next one. */
function blockOf(text: string, { path, key }: Member): Block | undefined {
  const { lines, headers } = headersOf(text);
  const isOwn = ({ table }: Header): boolean => holderAt(table, [...path, key]) !== undefined;
  const first = headers.findIndex(isOwn);
  const from = headers[first]?.at;
  if (from === undefined) return undefined;
  const next = headers.slice(first).find((header) => !isOwn(header))?.at;
  return { lines, from, to: endOf(lines, from, next) };
}

function headerOf(text: string, path: readonly string[]): Block | undefined {
  const { lines, headers } = headersOf(text);
  const wanted = path.reduceRight<ServerEntry>((inner, key) => ({ [key]: inner }), {});
  const own = headers.findIndex(({ table }) => isDeepStrictEqual(structuredClone(table), wanted));
  const from = headers[own]?.at;
  return from === undefined ? undefined : { lines, from, to: endOf(lines, from, headers[own + 1]?.at) };
}

function endOf(lines: readonly string[], from: number, next = lines.length): number {
  let to = next;
  while (to > from + 1 && /^\s*(?:#|$)/.test(lines[to - 1] ?? "")) to--;
  return to;
}

function lineOf(text: string, { path, key }: Member): Block | undefined {
  const table = headerOf(text, path);
  if (!table) return undefined;
  const { lines, from, to } = table;
  for (let at = from + 1; at < to; at++) {
    const found = parseToml(lines[at] ?? "");
    if (!(found instanceof TomlError) && Object.keys(found).join() === key)
      return { lines, from: at, to: at + 1 };
  }
  return undefined;
}
