import type { JsonObject, JsonValue } from "./plain-json.ts";

/**
 * The one text of a JSON value (RFC 8785): no spaces, keys in the order of their UTF-16 code units, numbers and escapes
 * as ECMAScript writes them. Two values have the same text exactly when they are the same.
 */
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
