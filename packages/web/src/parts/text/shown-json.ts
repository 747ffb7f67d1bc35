/** More makes the page slow, and nobody reads it. */
const MAX_LENGTH = 100_000;

/** A value as JSON to look at; the end of a very long one is left out. */
export function shownJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? "";
  return text.length > MAX_LENGTH
    ? `${text.slice(0, MAX_LENGTH)}\n… ${text.length - MAX_LENGTH} more characters`
    : text;
}
