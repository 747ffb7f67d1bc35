import { requiresListed } from "../classify/titles.ts";
import { CJK_MUST, DIRECTIVE_END, JAPANESE_DIRECTIVE, LABEL, LATER_START } from "../classify/words.ts";
import type { Passage } from "../text/passages.ts";

/** A name that is a word like others (`testing`, `status`), with what stands around it. */
export interface OneWord {
  readonly passage: Passage;
  readonly start: number;
  readonly before: string;
  readonly after: string;
  /** Marked as a name, with nothing else in the mark. */
  readonly isExact: boolean;
}

const SKILL = /skill|スキル|技能/i;
/** Between a label and a name that follows it at once. */
const AT_ONCE = /^\W*(?:[\w.-]+:)?\W?$/;
const MUST = /\bmust\b(?!\s*(?:not|never)\b)|\balways\b/i;
const LOUD = /\bMUST\s+(?:use|invoke|load|follow|run)\s+(?:the\s+)?$/;
/** Nothing more is said of it: "You MUST use testing first." */
const ENDS = /^\s*(?:[.!;]|$|first\b|before\b)/i;
/** What is run, called or checked is rather a program, a command or a field than a skill. */
const OF_PROGRAMS = /\b(?:run|running|execute|call|check|set|read|open)\s+(?:the\s+)?\W?$/i;
/** Another word at once after it says what it is: "the `status` field". */
const GOES_ON =
  /^\W{0,3}\s*(?:[.,;:!?)、。，；]|$|(?:first|before|for|to|in|on|at|when|whenever|as|and|now|here|again|until|if|skills?)\b|[^\x00-\x7f])/i;
/** A program or a field is used and run too; only a skill, or a page, is invoked or to be seen. */
const SEEN = /\b(?:see(?:\s+also)?|invok(?:e|ing))\s+(?:the\s+)?\W?$/i;

/**
 * Whether a word means the skill of that name: by a label, in a list of skills, as what must be used, or is used later. Short
 * of these it is a word like others, for most skills of one word are called after a program or a thing.
 */
export function isOneWordName({ passage, start, before, after, isExact }: OneWord): boolean {
  if (isLabelled(before, isExact)) return true;
  if (!isExact) return LOUD.test(before) && ENDS.test(after);
  if (SEEN.test(before) || isListedSkill(passage, start)) return true;
  if (!DIRECTIVE_END.test(before) && !JAPANESE_DIRECTIVE.test(after)) return false;
  if (OF_PROGRAMS.test(before) || !GOES_ON.test(after)) return false;
  const sentence =
    passage.text
      .slice(Math.max(0, start - 300), start)
      .split(/[.!?。！？]\s*/)
      .at(-1) ?? "";
  const clause = sentence.split(/[，、,;；:：()（）]/).at(-1) ?? "";
  if (MUST.test(clause) || LATER_START.test(sentence)) return true;
  return CJK_MUST.test(clause + (after.split(/[。；，、,;.]/)[0] ?? ""));
}

/** "REQUIRED SUB-SKILL: Use x" */
function isLabelled(before: string, isExact: boolean): boolean {
  const { kind = "", rest = "" } = LABEL.exec(before)?.groups ?? {};
  if (!SKILL.test(kind)) return false;
  if (isExact) return !/[.;。；]/.test(rest);
  return AT_ONCE.test(rest) || (DIRECTIVE_END.test(rest) && rest.trim().split(/\s+/).length < 4);
}

/** What an item begins with under "Required skills". */
function isListedSkill(passage: Passage, start: number): boolean {
  const { kind, text, headings, leadIns } = passage;
  const title = leadIns[0] ?? headings[0] ?? "";
  return kind === "item" && /^\W*$/.test(text.slice(0, start)) && SKILL.test(title) && requiresListed(title);
}
