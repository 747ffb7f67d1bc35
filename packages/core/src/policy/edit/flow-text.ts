/** As YAML in brackets, which stands for itself wherever it is put. */
export function flowText(value: string | Readonly<Record<string, string>>): string {
  if (typeof value === "string") return quoted(value);
  const entries = Object.entries(value).map(([key, entry]) => `${key}: ${quoted(entry)}`);
  return `{ ${entries.join(", ")} }`;
}

/** Words that a reader of YAML may take for something else than text. */
const TAKEN = /^(true|false|null|yes|no|on|off|y|n)$/i;

/** What JSON writes is YAML too. */
function quoted(text: string): string {
  const isPlain = /^(\/[\w./-]+|[a-z][\w-]*)$/i.test(text) && !TAKEN.test(text);
  return isPlain ? text : JSON.stringify(text);
}
