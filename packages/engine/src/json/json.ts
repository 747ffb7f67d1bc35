import { KnackError } from "@knack/core/text";

/** What JSON can say. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

const MAX_DEPTH = 64;
const MAX_VALUES = 100_000;
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * A caller's value as JSON has it, to be changed freely, or what keeps it from being that. Its objects have no prototype: a key
 * can only be data. `count`: how many values it holds.
 */
export function toPlainJson(
  value: unknown,
  name: string,
): { readonly value: JsonValue; readonly count: number } | { readonly problem: string } {
  try {
    // What JSON has no word for, as a function, is left out as everywhere else.
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) return { problem: `${name}: ${typeof value} is not JSON.` };
    if (text.length > MAX_CHARACTERS) return { problem: `${name}: too much text.` };
    const copy = JSON.parse(text) as JsonValue;
    return { value: copy, count: countValues(copy, name, 0, 0) };
  } catch (error) {
    if (error instanceof KnackError) return { problem: error.message };
    // It refers to itself, or is nested without end.
    if (error instanceof TypeError || error instanceof RangeError)
      return { problem: `${name}: ${error.message.split("\n", 1)[0]}` };
    throw error;
  }
}

/** Refuses what two readers could take for two values, and what is too large. */
function countValues(value: JsonValue, path: string, depth: number, before: number): number {
  const refuse = (problem: string): never => {
    throw new KnackError("INVALID_PARAM", `${path}: ${problem}`);
  };
  let count = before + 1;
  if (count > MAX_VALUES) refuse(`more than ${MAX_VALUES} values.`);
  if (depth > MAX_DEPTH) refuse(`nested more than ${MAX_DEPTH} levels deep.`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    refuse("a whole number beyond 2^53 is not exact; write it as text.");
  if (typeof value === "string" && !value.isWellFormed()) refuse("half of a surrogate pair is not text.");
  if (typeof value !== "object" || value === null) return count;
  if (!Array.isArray(value)) Object.setPrototypeOf(value, null);
  for (const [key, item] of Object.entries<JsonValue>(value as JsonObject)) {
    if (key === "__proto__" || !key.isWellFormed()) refuse(`the key ${JSON.stringify(key)} is not allowed.`);
    count = countValues(item, `${path}/${key.slice(0, 64)}`, depth + 1, count);
  }
  return count;
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
