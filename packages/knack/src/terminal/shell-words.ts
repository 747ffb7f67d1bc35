import { visiblePath } from "./visible.ts";

/** Words as a line that a shell reads as these words. */
export function shellWords(words: readonly string[]): string {
  return visiblePath(
    words
      .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
      .join(" "),
  );
}
