/** How a JSON text is laid out, so that what is added looks like the rest. */
export interface Layout {
  readonly lineEnd: string;
  /** One step of indentation. */
  readonly unit: string;
  /** All on one line, without spaces. */
  readonly isMinified: boolean;
}

export function layoutOf(text: string): Layout {
  const lineEnd = lineEndOf(text);
  const unit = /^[{[][^\n]*\n([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return { lineEnd, unit, isMinified: /\S/.test(text) && !text.trim().includes("\n") && !/[:,] /.test(text) };
}

/** The line end that most lines have. */
export function lineEndOf(text: string): string {
  const all = text.split("\n").length - 1;
  const windows = text.split("\r\n").length - 1;
  return windows * 2 > all ? "\r\n" : "\n";
}

/** A value over several lines; the first is not indented, because it stands behind a key. */
export function onLines(value: unknown, indent: string, { unit, lineEnd }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", lineEnd + indent);
}

/** A value on one line. */
export function onOneLine(value: unknown, layout: Layout): string {
  if (layout.isMinified) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => onOneLine(one, layout)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${onOneLine(one, layout)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Spaces and tabs at the beginning of the line that has this place. */
export function indentAt(text: string, place: number): string {
  const start = lineStart(text, place);
  return /^[ \t]*/.exec(text.slice(start, place))?.[0] ?? "";
}

export function lineStart(text: string, place: number): number {
  return text.lastIndexOf("\n", place - 1) + 1;
}

/** Whether nothing but spaces comes before this place on its line. */
export function beginsLine(text: string, place: number): boolean {
  const start = lineStart(text, place);
  return start > 0 && indentAt(text, place).length === place - start;
}

export function lineOf(text: string, place: number): number {
  return text.slice(0, place).split("\n").length;
}
