import { type Anchor, findAnchors } from "./anchors.ts";
import { BODY, DESCRIPTION, HEADINGS, NAME } from "./fields.ts";
import { tokenize } from "./tokenize.ts";

/** The words of one skill. */
export interface SkillWords {
  /** By field; what others say of the skill is theirs to tell. */
  readonly fields: readonly [name: string[], description: string[], headings: string[], body: string[]];
  /** In their order, with marks between them; of the body the beginning. */
  readonly sequence: readonly (string | Mark)[];
  /** What it says that may be about other skills. */
  readonly anchors: readonly Anchor[];
}

/** Marks in a sequence of words. They are below zero, where numbers of words are not. */
export const BREAK = -1;
export const DESCRIPTION_BEGINS = -2;
export const BODY_BEGINS = -3;
export const OPEN = -4;
export const CLOSE = -5;
type Mark = -1 | -2 | -3 | -4 | -5;

/** Beyond this much text a body is data; what it is about has been said. */
const MAX_BODY = 64 * 1024;
/** So many words of a body are kept in their order, common ones included. */
const MAX_SEQUENCE = 1_500;

const SENTENCES = /(?<=[.!?;])\s+|\n+|[。！？；]/;
/** What stands between two of these was quoted: descriptions quote what a user would say. */
const QUOTES = /["“”「」『』`]|(?<![\p{L}\p{N}])['‘]|['’](?![\p{L}\p{N}])/u;

export function skillWords(name: string, folder: string, description: string, body: string): SkillWords {
  const text = body.slice(0, MAX_BODY);
  const fields: SkillWords["fields"] = [nameWords(name, folder), [], [], []];
  const sequence: (string | Mark)[] = [...fields[NAME], DESCRIPTION_BEGINS];
  for (const sentence of description.split(SENTENCES)) {
    sentence.split(QUOTES).forEach((part, i) => {
      const words = tokenize(part);
      for (const word of words) fields[DESCRIPTION].push(word);
      if (i % 2 === 1) sequence.push(OPEN, ...words, CLOSE);
      else sequence.push(...words);
    });
    sequence.push(BREAK);
  }
  sequence.push(BODY_BEGINS);
  addBody(text, fields, sequence);
  return { fields, sequence, anchors: findAnchors(`${description}\n${text}`) };
}

/** Authors call a skill by its folder too; a word that both have counts once. */
function nameWords(name: string, folder: string): string[] {
  return [...new Set([...tokenize(name), ...tokenize(folder)])];
}

/** Lines that begin with `#` are headings, except in code fences, where `#` would be a comment. */
function addBody(body: string, fields: SkillWords["fields"], sequence: (string | Mark)[]): void {
  let fence = "";
  let room = MAX_SEQUENCE;
  for (const line of body.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (mark !== "" && (fence === "" || mark.startsWith(fence))) fence = fence === "" ? mark : "";
    const heading = fence === "" ? /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line) : null;
    const words = tokenize(heading?.[1] ?? line);
    const field = heading ? fields[HEADINGS] : fields[BODY];
    for (const word of words) {
      field.push(word);
      if (room-- > 0) sequence.push(word);
    }
    if (room > 0 && words.length > 0) sequence.push(BREAK);
  }
  sequence.push(BREAK);
}
