/** YAML in flow style, which is valid wherever it is inserted. */
export function flowText(value: string | Readonly<Record<string, string>>): string {
  if (typeof value === "string") return quoted(value);
  const entries = Object.entries(value).map(([key, entry]) => `${key}: ${quoted(entry)}`);
  return `{ ${entries.join(", ")} }`;
}

/** Words that a YAML reader may not read as text. */
const TAKEN = /^(true|false|null|yes|no|on|off|y|n)$/i;

/** JSON strings are valid YAML. */
function quoted(text: string): string {
  const isPlain = /^(\/[\w./-]+|[a-z][\w-]*)$/i.test(text) && !TAKEN.test(text);
  return isPlain ? text : JSON.stringify(text);
}
