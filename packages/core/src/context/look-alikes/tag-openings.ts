import { fold, MAYBE_UNDERSCORE } from "./confusables.ts";
import { readCharacter } from "./written-out.ts";

/** Brackets that look like `<`, and those that Unicode makes it: wide, small, negated. */
const BRACKETS = "<＜﹤≮‹⟨〈\u2329❬❮❰ᐸᚲ˂˱⧼⦉⦑︿𝈶";
/** These quote, compare or point before a word in ordinary text; what they begin is a tag only with a slash. */
const WITH_SLASH = "«《⟪≪⋘︽≤≦≲⩽≺≼⋖⊰⊲◀◁◂◃⮜⯇くㄑ〱";
/** U+E003C: text in tag characters, which no font shows, mirrors ASCII. */
const HIDDEN_BRACKET = "\u{e003c}";
const HIDDEN_ASCII = /[\u{e0020}-\u{e007e}]/u;

const OPENING = new RegExp(
  String.raw`[${BRACKETS}${WITH_SLASH}${HIDDEN_BRACKET}]|&(?:amp;){0,4}#[xX]?[0-9a-fA-F]{1,8};?|%(?:25){0,4}3[cC]|\\(?:x3[cC]|u003[cC]|u\{0{0,6}3[cC]\}|074)`,
  "gu",
);

/** All characters that can open a tag, for tests that make disguises. */
export const OPENINGS = { alone: [...BRACKETS], withSlash: [...WITH_SLASH] };

/** Ordinary text has none of these. */
const MAY_OPEN = /[<&%\\]|[^\0-\x7f]/;

/**
 * Finds the tags of these names. The answer takes a text to the same text with each opening of such a tag as `replace`
 * says, and every other byte as it was. A tag may be opening or closing, finished or not, in any case, with gaps between
 * its letters, and disguised: letters, brackets and slashes that look alike, marks, characters without a glyph, characters
 * written out.
 *
 * The time is linear: the look at one opening ends at the latest where the next one stands.
 */
export function tagReplacer(
  tags: readonly string[],
  replace: (opening: string) => string,
): (text: string) => string {
  const names = tags.map((name) => [...name].map(fold).join(""));
  return (text) => {
    if (!MAY_OPEN.test(text)) return text;
    const hides = HIDDEN_ASCII.test(text);
    return text.replace(OPENING, (opening, at: number) => {
      const { character } = readCharacter(opening, 0);
      const withSlash = WITH_SLASH.includes(character);
      if (!withSlash && !BRACKETS.includes(character) && character !== HIDDEN_BRACKET) return opening;
      const start = at + opening.length;
      // A hidden bracket counts only for a reader of hidden text. Checking it both ways would take quadratic time.
      const begins =
        (character !== HIDDEN_BRACKET && beginsName(text, start, names, withSlash, false)) ||
        (hides && beginsName(text, start, names, withSlash, true));
      return begins ? replace(opening) : opening;
    });
  };
}

function beginsName(
  text: string,
  start: number,
  names: readonly string[],
  withSlash: boolean,
  readHidden: boolean,
): boolean {
  let slash = !withSlash;
  // More than one only if a mark may or may not be an underscore.
  let words = [""];
  for (let at = start; at < text.length; ) {
    const { character, next } = readCharacter(text, at);
    at = next;
    for (const letter of fold(readHidden ? shown(character) : character)) {
      // In strings of programs and in Markdown, a backslash may come before any sign.
      if (letter === "/" && (words[0] === "" || character === "\\")) {
        slash = true;
        continue;
      }
      words = follow(words, letter, names);
      if (words.length === 0) return false;
      if (words.some((word) => names.includes(word))) return slash;
    }
  }
  return false;
}

/** The prefixes of names that result from one more letter. */
function follow(words: readonly string[], letter: string, names: readonly string[]): string[] {
  const longer = (word: string, next: string): string[] =>
    names.some((name) => name.startsWith(word + next)) ? [word + next] : [];
  if (letter === MAYBE_UNDERSCORE) return [...new Set(words.flatMap((word) => [word, ...longer(word, "_")]))];
  return words.flatMap((word) => (letter === "_" && word.endsWith("_") ? [word] : longer(word, letter)));
}

function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0xe0020 && code <= 0xe007e ? String.fromCharCode(code - 0xe0000) : character;
}
