/** Most names and descriptions match, and need no escaping. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
const WHITE_SPACE = /[\s\u0085]+/gu;
/** Flags such as Scotland's are the one visible use of tag characters. */
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

/** Readers that normalise Unicode also see the wide and small forms as markup. */
const MARKUP = /[&<>"'＆＜＞＂＇﹠﹤﹥]/g;
const BRACKETS = /[<>＜＞﹤﹥]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** For an element or an attribute. */
export function escapeXml(text: string): string {
  return text.replace(MARKUP, entity);
}

/** For a message that quotes text from outside: nothing in it is a tag. */
export function escapeMessage(text: string): string {
  return text.replace(BRACKETS, entity);
}

const UNSEEN_IN_PATH = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** A path must lead to the same file afterwards, so nothing is replaced: what breaks a line or hides becomes a reference. */
export function escapePath(path: string): string {
  return escapeXml(path).replace(UNSEEN_IN_PATH, reference);
}

function entity(character: string): string {
  return ENTITIES[character] ?? reference(character);
}

function reference(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

/** Tags around text from outside: Knack's own, and those that clients put around the text of a hook. */
const WRAPPERS = [
  ...["skill_context", "skill_files", "skills_context", "skills_catalog", "skills_usage"],
  // Claude Code; Copilot CLI; Gemini CLI; Qwen Code.
  ...["system-reminder", "system_reminder", "hook_context", "qwen:"],
];
const OPENING = /[<＜﹤]/g;
const IGNORABLE = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Replaces only the opening of wrapper tags by `&lt;`: in any case and width, finished or not, with invisible characters
 * between the letters. Linear: each look ends at the latest at the next opening.
 */
export function escapeWrapperTags(text: string): string {
  return text.replace(OPENING, (opening, at: number) =>
    beginsWrapper(text, at + opening.length) ? "&lt;" : opening,
  );
}

function beginsWrapper(text: string, start: number): boolean {
  let word = "";
  for (let at = start; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += character.length;
    for (const letter of character.normalize("NFKC").toLowerCase().replace(IGNORABLE, "")) {
      // In strings of programs a backslash may come before the slash.
      if (word === "" && (letter === "/" || letter === "\\")) continue;
      word += letter;
      if (WRAPPERS.includes(word)) return true;
      if (!WRAPPERS.some((name) => name.startsWith(word))) return false;
    }
  }
  return false;
}

/** A name or a description outside a block. */
export function lineForModel(text: string): string {
  return escapeWrapperTags(oneLine(text));
}
