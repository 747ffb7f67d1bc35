import type { Lexicon } from "../lexicon/lexicon.ts";
import type { Passage } from "../text/passages.ts";
import { listsRequired } from "../text/titles.ts";
import { isLabelledSkill } from "./label.ts";

/** A name that is an ordinary word (`testing`, `status`), with the text around it. */
export interface OneWord {
  readonly passage: Passage;
  readonly start: number;
  readonly before: string;
  readonly after: string;
  /** Marked as a name, and nothing else inside the markup. */
  readonly isExact: boolean;
}

const SKILL = /skill|スキル|技能/i;

/**
 * The form or rule by which a word means the skill of that name: by a label, in a list of skills, as something that must be
 * used, or is used later. Otherwise it is an ordinary word, because most skills with one-word names are named after a
 * program or a thing.
 */
export function oneWordName(word: OneWord, lexicon: Lexicon): string | undefined {
  const { passage, start, before, after, isExact } = word;
  if (isLabelledSkill(before, isExact, lexicon)) return "labelled-name";
  const facts = new Set(isExact ? (["marked"] as const) : []);
  const rule = lexicon.find("one-word-name", { before, after, facts });
  if (rule) return rule.id;
  if (!isExact) return undefined;
  if (isListedSkill(passage, start, lexicon)) return "listed-name";
  if (!lexicon.has("directs", { before }) && !lexicon.has("directs-after", { after })) return undefined;
  // What is run or set is more likely a program or a field, and "the `status` field" is not a skill.
  if (lexicon.has("program-word", { before }) || !lexicon.has("goes-on", { after })) return undefined;
  const sentence =
    passage.text
      .slice(Math.max(0, start - 300), start)
      .split(/[.!?。！？]\s*/)
      .at(-1) ?? "";
  const clause = sentence.split(/[，、,;；:：()（）]/).at(-1) ?? "";
  const near = clause + (after.split(/[。；，、,;.]/)[0] ?? "");
  const why =
    lexicon.says("must-here", clause) ??
    lexicon.begins("later", sentence) ??
    lexicon.why("must-word", { near });
  return why?.[0];
}

/** The start of an item under "Required skills". */
function isListedSkill(passage: Passage, start: number, lexicon: Lexicon): boolean {
  const { kind, text, headings, leadIns } = passage;
  const title = leadIns[0] ?? headings[0] ?? "";
  if (kind !== "item" || !/^\W*$/.test(text.slice(0, start))) return false;
  return SKILL.test(title) && listsRequired(title, lexicon) !== null;
}
