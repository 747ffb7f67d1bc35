/** What JSON can say. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

const MAX_DEPTH = 64;
const MAX_VALUES = 100_000;
const MAX_CHARACTERS = 8 * 1024 * 1024;

export interface PlainJson {
  readonly value: JsonValue;
  readonly count: number;
}

/** Copies a caller's value, or says what in it is not JSON. Objects of the copy have no prototype: a key can only be data. */
export function toPlainJson(value: unknown, name: string): PlainJson | { readonly problem: string } {
  const seen = { count: 0, characters: 0 };
  try {
    const copied = copy(value, name, [], seen);
    return { value: copied, count: seen.count };
  } catch (error) {
    if (error instanceof NotJson) return { problem: error.message };
    throw error;
  }
}

/** Carried out of the recursion. */
class NotJson extends Error {}

interface Seen {
  count: number;
  characters: number;
}

function copy(value: unknown, path: string, around: readonly object[], seen: Seen): JsonValue {
  if (++seen.count > MAX_VALUES) throw new NotJson(`${path}: more than ${MAX_VALUES} values.`);
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return number(value, path);
  if (typeof value === "string") return text(value, path, seen);
  if (typeof value !== "object") throw new NotJson(`${path}: ${article(typeof value)} is not JSON.`);
  if (around.includes(value)) throw new NotJson(`${path}: refers to itself.`);
  if (around.length >= MAX_DEPTH) throw new NotJson(`${path}: nested more than ${MAX_DEPTH} levels deep.`);
  const within = [...around, value];
  if (Array.isArray(value)) {
    if (Object.keys(value).length !== value.length)
      throw new NotJson(`${path}: a list with gaps or names is not JSON.`);
    return value.map((item, index) => copy(item, `${path}/${index}`, within, seen));
  }
  const prototype: object | null = Object.getPrototypeOf(value);
  // The root of some realm's prototypes: an object from another context is as plain as one from here.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new NotJson(`${path}: ${article(prototype.constructor.name)} is not JSON.`);
  if (Object.getOwnPropertySymbols(value).length > 0)
    throw new NotJson(`${path}: a symbol as a key is not JSON.`);
  const copied: Record<string, JsonValue> = Object.create(null);
  for (const [key, item] of Object.entries(value)) {
    if (key === "__proto__") throw new NotJson(`${path}: the key "__proto__" is not allowed.`);
    copied[key] = copy(item, `${path}/${text(key, path, seen).slice(0, 64)}`, within, seen);
  }
  return copied;
}

function text(value: string, path: string, seen: Seen): string {
  seen.characters += value.length;
  if (seen.characters > MAX_CHARACTERS) throw new NotJson(`${path}: too much text.`);
  if (!value.isWellFormed()) throw new NotJson(`${path}: half of a surrogate pair is not text.`);
  return value;
}

function number(value: number, path: string): number {
  if (!Number.isFinite(value)) throw new NotJson(`${path}: ${value} is not JSON, or too large a number.`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new NotJson(`${path}: a whole number beyond 2^53 is not exact; write it as text.`);
  }
  return value === 0 ? 0 : value;
}

function article(word: string): string {
  return word === "undefined" ? word : `${/^[aeio]/i.test(word) ? "an" : "a"} ${word}`;
}
