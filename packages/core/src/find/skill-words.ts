import { tokenize } from "./tokenize.ts";

export const FIELD_COUNT = 4;

/** The words of one skill. */
export interface SkillWords {
  /** By field, from the most telling to the least. */
  readonly fields: readonly [name: string[], description: string[], headings: string[], body: string[]];
  /** In their order, with marks between them; of the body the beginning. */
  readonly sequence: readonly (string | Mark)[];
}

/** Marks in a sequence of words. They are below zero, where numbers of words are not. */
export const BREAK = -1;
export const BODY = -2;
export const OPEN = -3;
export const CLOSE = -4;
type Mark = typeof BREAK | typeof BODY | typeof OPEN | typeof CLOSE;

/** Beyond this much text a body is data; what it is about has been said. */
const MAX_BODY = 64 * 1024;
/** So many words of a body are kept in their order. */
const MAX_SEQUENCE = 1_000;

const SENTENCES = /(?<=[.!?;])\s+|\n+|[。！？；]/;
/** What stands between two of these was quoted: descriptions quote what a user would say. */
const QUOTES = /["“”「」『』`]|(?<![\p{L}\p{N}])['‘]|['’](?![\p{L}\p{N}])/u;

export function skillWords(name: string, description: string, body: string): SkillWords {
  const fields: SkillWords["fields"] = [tokenize(name), [], [], []];
  const sequence: (string | Mark)[] = [...fields[0], BREAK];
  for (const sentence of description.split(SENTENCES)) {
    sentence.split(QUOTES).forEach((part, i) => {
      const words = tokenize(part);
      for (const word of words) fields[1].push(word);
      if (i % 2 === 1) sequence.push(OPEN, ...words, CLOSE);
      else sequence.push(...words);
    });
    sequence.push(BREAK);
  }
  sequence.push(BODY);
  addBody(body.slice(0, MAX_BODY), fields, sequence);
  return { fields, sequence };
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
    const field = heading ? fields[2] : fields[3];
    for (const word of words) {
      field.push(word);
      if (room-- > 0) sequence.push(word);
    }
    if (room > 0 && words.length > 0) sequence.push(BREAK);
  }
  sequence.push(BREAK);
}
