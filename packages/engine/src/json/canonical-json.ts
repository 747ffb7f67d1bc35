import type { JsonObject, JsonValue } from "./plain-json.ts";

/**
 * The one text of a JSON value (RFC 8785): no spaces, keys in the order of their UTF-16 code units, numbers and escapes
 * as ECMAScript writes them. Two values have the same text exactly when they are the same.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`);
    // String(-0) is "0", as the RFC asks.
    return String(value);
  }
  if (typeof value === "string") return text(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${text(key)}:${canonicalJson(value[key] as JsonValue)}`);
  return `{${members.join(",")}}`;
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new TypeError("Half of a surrogate pair has no canonical form");
  return JSON.stringify(value);
}

/** Array.isArray does not narrow a read-only list. */
function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}
