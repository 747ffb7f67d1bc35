/**
 * The one repair: a value with an unquoted `: ` (`description: Use when: the user asks`), the most common mistake in
 * real skills. The value on the faulty line is put into quotes and nothing else changes, so no key can appear that the
 * author did not write at the start of a line. Answers `null` where the line has no such value.
 */
export function quoteValueAt(text: string, line: number): string | null {
  const lines = text.split("\n");
  let at = line - 1;
  // The fault may be reported on a continuation line; its key is on the nearest less indented line above.
  while (at > 0 && !KEY_WITH_VALUE.test(lines[at] ?? "")) {
    if (!/^\s/.test(lines[at] ?? "")) return null;
    at--;
  }
  const match = KEY_WITH_VALUE.exec(lines[at] ?? "");
  if (!match) return null;
  const [, indent = "", key = "", value = ""] = match;

  let last = at;
  while (last + 1 < lines.length && isContinuation(lines[last + 1] ?? "", indent.length)) last++;
  const whole = [value, ...lines.slice(at + 1, last + 1)].join("\n").trimEnd();
  if (!/:(\s|$)/.test(whole) || /^["'[{|>&*!%@`#]/.test(whole)) return null;

  const quoted = `${indent}${key}: '${whole.replaceAll("'", "''")}'`;
  return [...lines.slice(0, at), quoted, ...lines.slice(last + 1)].join("\n");
}

const KEY_WITH_VALUE = /^(\s*)([A-Za-z0-9_-]+):[ \t]+(\S.*)$/;

function isContinuation(line: string, indent: number): boolean {
  const text = line.trimStart();
  return text !== "" && line.length - text.length > indent && !KEY_WITH_VALUE.test(line);
}
