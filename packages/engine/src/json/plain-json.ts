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
  /** How many values there are in it, itself included. */
  readonly count: number;
}

/**
 * Copies a value that may come from anywhere into plain data, or says what in it is not JSON. Every property is read
 * exactly once, so that a getter or a proxy cannot show one value to the check and another to the run. Objects of the
 * copy have no prototype: a key can only ever be data.
 */
export function toPlainJson(value: unknown, name: string): PlainJson | { readonly problem: string } {
  const copier = new Copier();
  try {
    const copy = copier.copy(value, name, []);
    return { value: copy, count: copier.count };
  } catch (error) {
    if (error instanceof NotJson) return { problem: error.message };
    throw error;
  }
}

/** Carried out of the recursion. */
class NotJson extends Error {}

class Copier {
  count = 0;
  #characters = 0;

  copy(value: unknown, path: string, around: readonly object[]): JsonValue {
    if (++this.count > MAX_VALUES) throw new NotJson(`${path}: more than ${MAX_VALUES} values.`);
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "number") return number(value, path);
    if (typeof value === "string") return this.#text(value, path);
    if (typeof value !== "object") throw new NotJson(`${path}: ${article(typeof value)} is not JSON.`);
    if (around.includes(value)) throw new NotJson(`${path}: refers to itself.`);
    if (around.length >= MAX_DEPTH) throw new NotJson(`${path}: nested more than ${MAX_DEPTH} levels deep.`);
    return this.#object(value, path, [...around, value]);
  }

  #text(value: string, path: string): string {
    this.#characters += value.length;
    if (this.#characters > MAX_CHARACTERS) throw new NotJson(`${path}: too much text.`);
    if (!value.isWellFormed()) throw new NotJson(`${path}: half of a surrogate pair is not text.`);
    return value;
  }

  #object(value: object, path: string, around: readonly object[]): JsonValue {
    const isList = attempt(path, () => Array.isArray(value));
    const prototype = attempt(path, () => Object.getPrototypeOf(value));
    // The root of some realm's prototypes, so that an object from another context is as plain as one from here.
    const root = isList ? attempt(path, () => prototype && Object.getPrototypeOf(prototype)) : prototype;
    if (root !== null && attempt(path, () => Object.getPrototypeOf(root)) !== null) {
      throw new NotJson(`${path}: ${attempt(path, () => className(prototype))} is not JSON.`);
    }
    const keys = attempt(path, () => Reflect.ownKeys(value));
    return isList ? this.#list(value, keys, path, around) : this.#map(value, keys, path, around);
  }

  #list(
    value: object,
    keys: readonly PropertyKey[],
    path: string,
    around: readonly object[],
  ): readonly JsonValue[] {
    const names = keys.filter((key) => key !== "length");
    const copy: JsonValue[] = [];
    for (const [index, key] of names.entries()) {
      if (key !== String(index)) throw new NotJson(`${path}: a list with gaps or names is not JSON.`);
      copy.push(this.copy(read(value, key, `${path}/${index}`), `${path}/${index}`, around));
    }
    const length = attempt(path, () => Reflect.getOwnPropertyDescriptor(value, "length")?.value);
    if (length !== copy.length) throw new NotJson(`${path}: a list with gaps is not JSON.`);
    return copy;
  }

  #map(value: object, keys: readonly PropertyKey[], path: string, around: readonly object[]): JsonObject {
    const copy: Record<string, JsonValue> = Object.create(null);
    for (const key of keys) {
      if (typeof key !== "string") throw new NotJson(`${path}: a symbol as a key is not JSON.`);
      if (key === "__proto__") throw new NotJson(`${path}: the key "__proto__" is not allowed.`);
      const at = `${path}/${this.#text(key, path).slice(0, 64)}`;
      copy[key] = this.copy(read(value, key, at), at, around);
    }
    return copy;
  }
}

function read(value: object, key: string, path: string): unknown {
  return attempt(path, () => {
    const property = Reflect.getOwnPropertyDescriptor(value, key);
    return property?.get ? Reflect.apply(property.get, value, []) : property?.value;
  });
}

/** A getter or a proxy runs the caller's code, which may throw anything. */
function attempt<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch {
    throw new NotJson(`${path}: reading it failed.`);
  }
}

function number(value: number, path: string): number {
  if (!Number.isFinite(value)) throw new NotJson(`${path}: ${value} is not JSON, or too large a number.`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new NotJson(`${path}: a whole number beyond 2^53 is not exact; write it as text.`);
  }
  return value === 0 ? 0 : value;
}

function className(prototype: unknown): string {
  const name = (prototype as { constructor?: { name?: unknown } } | null)?.constructor?.name;
  return typeof name === "string" && /^\w{1,40}$/.test(name) ? article(name) : "an object of a class";
}

function article(word: string): string {
  return word === "undefined" ? word : `${/^[aeio]/i.test(word) ? "an" : "a"} ${word}`;
}
