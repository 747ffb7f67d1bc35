import { POINTERS } from "./lexicon/en-titles.ts";
import type { Lexicon } from "./lexicon/lexicon.ts";
import { re } from "./lexicon/rule.ts";
import { nameKey, type SkillIndex } from "./skill-index.ts";

const HYPHENATED = /[A-Za-z0-9_]+(?:-+[A-Za-z0-9_]+)+/g;
/** A single word is checked only after something that makes it a name. */
const BEHIND_A_MARK = /(?<=[/:$[])[A-Za-z0-9_]+(?![A-Za-z0-9_]|-+[A-Za-z0-9_])/g;
const BEFORE_SKILL =
  /(?<![A-Za-z0-9_])(?:[A-Za-z0-9_]+(?:-+[A-Za-z0-9_]+)*)(?=[`*"'’”」』\])]{0,4}(?:'s|’s)?\s{0,2}(?:(?:sub-?)?skills?\b|スキル|技能))/gi;
const SKILL = /skill|スキル|技能|requires[_-]|reference[_-]/i;
/** Forms that mean a skill whether it exists or not. */
const MEANS_A_SKILL =
  /Skill\(|SUB-SKILL|SKILL\.md|(?:REQUIRED|MANDATORY|Required|Mandatory|必須|必须)\s?(?:SKILL|[Ss]kill|スキル|技能)|`[\w-]+-[\w-]+`\*{0,2} (?:sub-?)?skill\b/;
const STATES_TYPE = /requires[_-](?:now|later)|reference[_-]only/i;
const ONE_WORD_MARKED =
  /[`*]([A-Za-z0-9_]+)[`*]|(?:\bMUST \w{3,6} (?:the )?|(?:触发|觸發|[再才]做|[再才必][须須]?[^\x00-\x7f]{2})\s?)([A-Za-z0-9_]+)/g;
const MARKED = /`([^`]{1,80})`|\*\*([^*]{1,80})\*\*|\[([^\][]{1,80})\]/g;
/** What can come before a hyphenated name, and before a single word. */
const BEFORE = [
  /[^\x00-\x7f]\s?$|[`*[/:$("'|>]\s?$/,
  /^\s*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?$/,
  re`(?:\b${[...POINTERS, "before|after|until|unless|once|when|skills?:?"]}|[、用と和或])\s{0,2}$`,
];
const BEFORE_ONE_WORD = /(?:^|[\s(（"'`“「『：,、→>[=|])\/$|(?:\.\.|skills)\/$|[\w-]:$|\$$|\[\[$/;

/** Whether a line may name another skill. Nearly all lines do not, so cheap checks come first. */
export function namesSkill(
  line: string,
  index: SkillIndex,
  own: ReadonlySet<string>,
  lexicon: Lexicon,
): boolean {
  const isKnown = (word: string): boolean => {
    const key = word.toLowerCase();
    return index.byName.has(key) && !own.has(key);
  };
  if (SKILL.test(line)) {
    if (MEANS_A_SKILL.test(line) || STATES_TYPE.test(line)) return true;
    for (const [word] of line.matchAll(BEFORE_SKILL)) if (isKnown(word)) return true;
  }
  if (line.includes("-"))
    for (const { 0: word, index: at } of line.matchAll(HYPHENATED)) {
      if (!isKnown(word)) continue;
      const before = line.slice(Math.max(0, at - 70), at);
      if (BEFORE.some((pattern) => pattern.test(before)) || lexicon.has("directs", { before })) return true;
      const after = line.slice(at + word.length, at + word.length + 30);
      if (lexicon.has("directs-after", { after }) || lexicon.has("must-be-run", { after })) return true;
    }
  for (const { 0: word, index: at } of line.matchAll(BEHIND_A_MARK)) {
    if (line[at + word.length] === "/" || !isKnown(word)) continue;
    if (BEFORE_ONE_WORD.test(line.slice(Math.max(0, at - 70), at))) return true;
  }
  for (const [, marked, told = ""] of line.matchAll(ONE_WORD_MARKED))
    if (isKnown(marked ?? told)) return true;
  return index.otherNames.size > 0 && namesInAnotherScript(line, index);
}

function namesInAnotherScript(line: string, index: SkillIndex): boolean {
  if (!/[`*[]/.test(line)) return false;
  for (const [, code, bold, link] of line.matchAll(MARKED))
    if (index.otherNames.has(nameKey(code ?? bold ?? link ?? ""))) return true;
  return false;
}

const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;

/**
 * The lines, from 1, of each paragraph, list or table in which a line may name another skill, and of the one before, which may
 * lead to it. Nine tenths of all text are not needed.
 */
export function relevantLines(
  lines: readonly string[],
  names: (line: string) => boolean,
): ReadonlySet<number> {
  const relevant = new Set<number>();
  const goesOn = (line = ""): boolean => line.trim() !== "" && !HEADING.test(line);
  let before = 0;
  for (let start = 0, end = 0; start < lines.length; start = end) {
    end = start + 1;
    if (lines[start]?.trim() === "") continue;
    if (goesOn(lines[start])) while (goesOn(lines[end])) end++;
    if (lines.slice(start, end).some(names)) for (let at = before; at < end; at++) relevant.add(at + 1);
    before = start;
  }
  return relevant;
}
