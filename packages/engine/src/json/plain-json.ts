import { KnackError } from "@knack/core/text";

/** What JSON can say. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

const MAX_DEPTH = 64;
const MAX_VALUES = 100_000;
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Copies a caller's value, or says what in it is not JSON. Objects of the copy have no prototype: a key can only be data. */
export function toPlainJson(
  value: unknown,
  name: string,
): { readonly value: JsonValue; readonly count: number } | { readonly problem: string } {
  const seen = { count: 0, characters: 0 };
  try {
    return { value: copy(value, name, [], seen), count: seen.count };
  } catch (error) {
    if (error instanceof KnackError) return { problem: error.message };
    throw error;
  }
}

interface Seen {
  count: number;
  characters: number;
}

function copy(value: unknown, path: string, around: readonly object[], seen: Seen): JsonValue {
  const refuse = (problem: string): never => {
    throw new KnackError("INVALID_PARAM", `${path}: ${problem}`);
  };
  const text = (given: string): string => {
    seen.characters += given.length;
    if (seen.characters > MAX_CHARACTERS) refuse("too much text.");
    return given.isWellFormed() ? given : refuse("half of a surrogate pair is not text.");
  };
  if (++seen.count > MAX_VALUES) refuse(`more than ${MAX_VALUES} values.`);
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return text(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) refuse(`${value} is not JSON, or too large a number.`);
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      refuse("a whole number beyond 2^53 is not exact; write it as text.");
    return value === 0 ? 0 : value;
  }
  if (typeof value !== "object") return refuse(`${withArticle(typeof value)} is not JSON.`);
  if (around.includes(value)) refuse("refers to itself.");
  if (around.length >= MAX_DEPTH) refuse(`nested more than ${MAX_DEPTH} levels deep.`);
  const within = [...around, value];
  if (Array.isArray(value)) {
    if (Object.keys(value).length !== value.length) refuse("a list with gaps or names is not JSON.");
    return value.map((item, index) => copy(item, `${path}/${index}`, within, seen));
  }
  const prototype: object | null = Object.getPrototypeOf(value);
  // The root of some realm's prototypes: an object from another context is as plain as one from here.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    refuse(`${withArticle(prototype.constructor.name)} is not JSON.`);
  if (Object.getOwnPropertySymbols(value).length > 0) refuse("a symbol as a key is not JSON.");
  const copied: Record<string, JsonValue> = Object.create(null);
  for (const [key, item] of Object.entries(value)) {
    if (key === "__proto__") refuse('the key "__proto__" is not allowed.');
    copied[key] = copy(item, `${path}/${text(key).slice(0, 64)}`, within, seen);
  }
  return copied;
}

function withArticle(word: string): string {
  return word === "undefined" ? word : `${/^[aeio]/i.test(word) ? "an" : "a"} ${word}`;
}
