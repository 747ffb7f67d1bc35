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

function copy(
  value: unknown,
  path: string,
  around: readonly object[],
  seen: { count: number; characters: number },
): JsonValue {
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

/** The one text of a JSON value (RFC 8785): two values have the same text exactly when they are the same. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError(`${value} has no canonical form`);
  if (typeof value === "string" && !value.isWellFormed())
    throw new TypeError("Half of a surrogate pair has no canonical form");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${canonicalJson(key)}:${canonicalJson((value as JsonObject)[key] as JsonValue)}`);
  return `{${members.join(",")}}`;
}

/** Reads JSON text in which no key is given twice: JSON.parse keeps the last, so that two readers could see two values. */
export function parseJsonStrict(text: string): { readonly value: JsonValue } | { readonly problem: string } {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `Not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const twice = duplicateKey(text);
  return twice === undefined ? { value } : { problem: `The key ${JSON.stringify(twice)} is given twice.` };
}

const STRING = /"(?:[^"\\]|\\.)*"/y;

/** Walks over text that is known to be JSON; a string is a key where it stands before a colon. */
function duplicateKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === "{" || character === "[") open.push(new Set());
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      STRING.lastIndex = i;
      const literal = STRING.exec(text)?.[0] ?? '""';
      i += literal.length - 1;
      let next = i + 1;
      while (" \t\n\r".includes(text[next] ?? "x")) next++;
      if (text[next] !== ":") continue;
      const key = JSON.parse(literal) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}
