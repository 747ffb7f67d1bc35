import { safeJson } from "../../terminal/visible.ts";
import type { Entry } from "./client.ts";

/** A TOML table: its header and a line for each key. */
export function tomlTable(keys: readonly string[], entry: Entry): string[] {
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
