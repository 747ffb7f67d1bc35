import { isAbsolute, relative } from "node:path";

export { pluralize, thousands as count } from "@knack/core/text";

/**
 * Untrusted text for a terminal: on one line, with every character that could control the terminal or hide something escaped
 * (`\x1b`, `\u{202e}`).
 */
export function escapeControl(text: string): string {
  return visiblePath(text.replaceAll(/[\t\n\r ]+/g, " "));
}

/** A path: the same, and every space stays, because a path is copied and used. */
export function visiblePath(path: string): string {
  return path.replaceAll(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}

/** A whole text: its lines and tabs stay. */
export function escapeControlInText(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, place) => (place % 2 === 0 ? visiblePath(part) : part))
    .join("");
}

/** JSON whose bytes are harmless on a terminal too; a parser reads the same values. */
export function safeJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replaceAll(UNSAFE_IN_JSON, (character) =>
    // Characters beyond the basic plane are two escapes in JSON.
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
/** Line ends of the layout stay; inside of texts JSON itself escapes them. */
const UNSAFE_IN_JSON =
  /[\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e01ef}]/gu;

/** A path as a person would type it from the working directory, where that is shorter. */
export function shortPath(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return visiblePath(way !== "" && !isAbsolute(way) && way.length < path.length ? way : path);
}

/** Words as a line that a shell reads as these words. */
export function quoteWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(" ");
}

/** The same for a screen. */
export function shellWords(words: readonly string[]): string {
  return visiblePath(quoteWords(words));
}

/** "a, b and 3 more". */
export function andMore(all: readonly string[], most: number): string {
  const more = all.length > most ? ` and ${all.length - most} more` : "";
  return `${all.slice(0, most).join(", ")}${more}`;
}

/** A time of a record as a person reads it: to the second, without its zone. */
export function shortTime(at: string): string {
  return at.slice(0, 19).replace("T", " ");
}

/** What an error says; a refusal of the operating system says which path it was about. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("syscall" in error && "code" in error && "path" in error) {
    return `The system call ${error.syscall} failed for ${error.path} (${error.code}).`;
  }
  return error.message;
}
