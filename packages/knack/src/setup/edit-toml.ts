import { parse, TomlError } from "smol-toml";
import { safeJson } from "../terminal/visible.ts";
import type { ServerEntry } from "./clients.ts";
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
 * Edits TOML by its lines. A server is a table of its own, so it is a block of lines from its header to the next one. A server
 * in any other form (an inline table, dotted keys) is not edited: the caller then shows what to paste.
 */
export function tomlEditor(fault: EditFault): Editor {
  const read = (text: string): ServerEntry => {
    const found = parseToml(text);
    if (!(found instanceof TomlError)) return structuredClone(found);
    const [reason = ""] = found.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw fault(reason, found.line);
  };
  const requireBlock = (text: string, member: Member): Block => {
    const block = blockOf(text, member);
    if (block) return block;
    throw fault(`the server "${member.key}" is not a table of its own`);
  };
  const put = (text: string, member: Member): string => {
    const lineEnd = lineEndOf(text);
    const table = tomlTable([...member.path, member.key], member.value).join(lineEnd);
    if (valueAt(read(text), member) !== undefined) {
      const { lines, from, to } = requireBlock(text, member);
      const end = /\r?\n$/.exec(lines[to - 1] ?? "")?.[0] ?? "";
      return [...lines.slice(0, from), table + end, ...lines.slice(to)].join("");
    }
    if (text.trim() === "") return text + table + lineEnd;
    const hasEnd = text.endsWith("\n");
    return `${text}${hasEnd ? "" : lineEnd}${lineEnd}${table}${hasEnd ? lineEnd : ""}`;
  };
  const drop = (text: string, member: Member): string => {
    if (valueAt(read(text), member) === undefined) return text;
    const { lines, from, to } = requireBlock(text, member);
    // The empty line that kept it apart goes with it.
    const isApart = from > 0 && lines[from - 1]?.trim() === "" && (lines[to] ?? "").trim() === "";
    const kept = [...lines.slice(0, isApart ? from - 1 : from), ...lines.slice(to)].join("");
    const isLast = to === lines.length && !text.endsWith("\n");
    return isLast ? kept.replace(/\r?\n$/, "") : kept;
  };
  return {
    fault,
    parse: read,
    put: (text, members) => members.reduce(put, text),
    drop: (text, members) => members.reduce(drop, text),
  };
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

/** The lines of a table, with the tables below it, without the comments that stand before the next one. */
function blockOf(text: string, { path, key }: Member): Block | undefined {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const headers = lines.flatMap((line, at) => {
    const table = /^\s*\[/.test(line) ? parseToml(line) : undefined;
    if (table === undefined || table instanceof TomlError) return [];
    // A line in a string or a list that only looks like a header comes after a text that is not whole.
    if (parseToml(lines.slice(0, at).join("")) instanceof TomlError) return [];
    return [{ at, isOwn: holderAt(table, [...path, key]) !== undefined }];
  });
  const first = headers.findIndex(({ isOwn }) => isOwn);
  const from = headers[first]?.at;
  if (from === undefined) return undefined;
  let to = headers.slice(first).find(({ isOwn }) => !isOwn)?.at ?? lines.length;
  while (to > from + 1 && /^\s*(?:#|$)/.test(lines[to - 1] ?? "")) to--;
  return { lines, from, to };
}
