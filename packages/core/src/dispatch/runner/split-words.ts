import { SkillError } from "../../shared/errors.ts";
import { quote } from "../../shared/quote.ts";

/**
 * A command line → its words, without a shell. White space separates, quotes group, and nothing is expanded: `;`, `|`,
 * `$HOME` and backticks are letters like others. A backslash takes the meaning of a quote, a space or another backslash
 * after it (in double quotes: of `"` and `\`), and is itself before anything else, as in a path of Windows. `setting`: where
 * the user wrote it, for the message.
 */
export function splitWords(line: string, setting: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let open: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? "";
    const next = line[at + 1] ?? "";
    const isEscape = letter === "\\" && open !== "'" && next !== "";
    if (isEscape && (open === '"' ? /["\\]/ : /["'\\\s]/).test(next)) {
      word = (word ?? "") + next;
      at++;
    } else if (open !== null) {
      if (letter === open) open = null;
      else word += letter;
    } else if (letter === '"' || letter === "'") {
      open = letter;
      word ??= "";
    } else if (/\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + letter;
  }
  if (open !== null)
    throw new SkillError(
      "INVALID_PARAM",
      `${setting}: the command ${quote(line)} has a quote (${open}) that is not closed.`,
    );
  if (word !== null) words.push(word);
  return words;
}
