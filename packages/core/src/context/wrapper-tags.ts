import { oneLine } from "./escape.ts";

/** Tags of the blocks that Knack puts around text from outside. Text inside must not be read as one of them. */
const WRAPPERS = ["skill_context", "skill_files", "skills_context", "skills_catalog", "skills_usage"];

const OPENINGS = /[<＜﹤]/g;
/** What a reader passes over without noticing: space, controls, and all that has no glyph. */
const PASSED_OVER = String.raw`\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;
const NEXT_LETTER = new RegExp(`[^${PASSED_OVER}]`, "gu");
/** Backslashes are passed over too: `<\/x>` is how a closing tag is written in a string of a program. */
const FIRST_LETTER = new RegExp(String.raw`[^${PASSED_OVER}/／\\＼﹨]`, "gu");

/**
 * The text with the first character of each look-alike of a wrapper's tag as `&lt;`, and every other byte as it was. A
 * look-alike may be opening or closing, finished or not, in any case, with gaps between its letters, and in any letters
 * that Unicode holds to be compatible with the plain ones (fullwidth, mathematical, ligatures).
 *
 * The time is linear: the look at one opening ends at the latest where the next one stands.
 */
export function escapeWrapperTags(text: string): string {
  return text.replace(OPENINGS, (opening, at: number) => (isWrapperTag(text, at + 1) ? "&lt;" : opening));
}

/** A name or a description in a text that is no block: on its line, and no tag of a block. */
export function lineForModel(text: string): string {
  return escapeWrapperTags(oneLine(text));
}

function isWrapperTag(text: string, start: number): boolean {
  let at = find(FIRST_LETTER, text, start);
  let word = "";
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    word += character.normalize("NFKC").toLowerCase();
    if (WRAPPERS.some((name) => word.startsWith(name))) return true;
    if (!WRAPPERS.some((name) => name.startsWith(word))) return false;
    at = find(NEXT_LETTER, text, at + character.length);
  }
  return false;
}

function find(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}
