import { hash } from "node:crypto";
import type { SkillMetadata } from "../../skill/schema.ts";

/**
 * Models read 256 to 8,192 tokens, and some servers refuse a longer text instead of cutting it. In bytes, because a Chinese
 * character is about as many tokens as three letters.
 */
const MAX_BYTES = 1_200;

/** What is embedded of a skill: the words of its name, and its description, which is what an agent chooses by. */
export function skillInput({ name, description }: SkillMetadata, prefix = ""): string {
  return cut(`${prefix}${name.replaceAll("-", " ")}: ${description}`);
}

export function queryInput(query: string, prefix = ""): string {
  return cut(prefix + query);
}

/** Identifies a text as a model saw it. */
export function inputKey(model: string, text: string): string {
  return hash("sha256", `${model}\n${text}`, "base64url").slice(0, 22);
}

function cut(text: string): string {
  const bytes = Buffer.from(text.toWellFormed());
  if (bytes.length <= MAX_BYTES) return bytes.toString("utf8");
  // Not in the middle of a character.
  let end = MAX_BYTES;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
