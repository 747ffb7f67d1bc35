import { tagReplacer } from "../look-alikes/tag-openings.ts";
import { WRAPPERS } from "../look-alikes/wrappers.ts";

/** Escapes text from outside for a block that a model reads, so that it cannot leave its place. */

/** Most names and descriptions match, and need no escaping. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
const WHITE_SPACE = /[\s\u0085]+/gu;
/** Flags such as Scotland's are made of tag characters; they are the one use that people see. */
const UNSEEN =
  /(\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f})|[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]+/gu;

/** A name or a description on one line, without what a person would not see and a model would obey. */
export function oneLine(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(WHITE_SPACE, " ")
    .replace(UNSEEN, (_run, flag: string | undefined) => flag ?? "\ufffd")
    .trim();
}

/** A reader that normalises Unicode sees markup in the wide and small forms too. As numbers they stay what they are. */
const MARKUP = /[&<>"'＆＜＞＂＇﹠﹤﹥]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Brackets that merely look like markup, and written-out ones, are ordinary text unless a tag of ours follows. */
const markLookAlikes = tagReplacer(WRAPPERS, (opening) => {
  const [first = ""] = opening;
  // What begins with "&" has been escaped.
  return first === "&" ? opening : reference(first) + opening.slice(first.length);
});

/** Text for an element or an attribute; read as XML it is the same text again. */
export function escapeXml(text: string): string {
  return markLookAlikes(text.replace(MARKUP, (found) => ENTITIES[found] ?? reference(found)));
}

const BRACKETS = /[<>＜＞﹤﹥]/g;

/** A message that quotes text from outside: it reads as before, and nothing in it is a tag. */
export function escapeMessage(text: string): string {
  return markLookAlikes(text.replace(BRACKETS, (found) => ENTITIES[found] ?? reference(found)));
}

const UNSEEN_IN_PATH = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/**
 * A path for an element or an attribute. It can hold any character and must lead to the same file afterwards, so
 * nothing is replaced or collapsed: what would break the line or hide is a numeric reference.
 */
export function escapePath(path: string): string {
  return escapeXml(path).replace(UNSEEN_IN_PATH, reference);
}

function reference(character: string): string {
  return `&#${character.codePointAt(0)};`;
}
