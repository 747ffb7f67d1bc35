import type { SkillMetadata } from "../../../skill/schema.ts";
import { DIRECTIVE_END, JAPANESE_DIRECTIVE, MUST_BE_RUN } from "../classify/words.ts";
import type { Mark } from "../text/flat-text.ts";
import type { Passage } from "../text/passages.ts";
import { isOneWordName } from "./one-word-name.ts";
import { type PathReference, pathReferences } from "./path-references.ts";
import type { Found } from "./reference.ts";
import { nameKey, nearestSkill, type SkillIndex } from "./skill-index.ts";

const WORD = /[A-Za-z0-9_]+(?:-+[A-Za-z0-9_]+)*/g;
const NAMESPACE = /(?<![\w:/.-])(\/?[A-Za-z][\w.-]{0,60}):$/;
const SLASH = /(?:^|[\s(（"'“「『：:,、→>[=|])\/$/;
const CALL = /\bSkill\(\s?["'`]?(?:skill\s?[:=]\s?)?["'`]?(?:[\w.-]+:)?$/;
const SKILL_AFTER = /^["'”’」』)\]]{0,2}(?:'s|’s)?\s{0,2}(?:sub-?)?(?:skills?\b|スキル|技能|サブスキル)/i;
const SKILL_BEFORE =
  /(?:\bskills?:?\s{1,2}|\b(?:background|reading|prerequisites?):\s{1,2}|スキル|技能\s?)["'“「『(]?$/i;
const POINTER =
  /(?:→|->|=>|\bsee|\bvia|\bfrom|\bby|\bwith|\bto|使用|调用|調用|請用|请用|用)\s{0,2}["'“「『]?$/i;
/** "until x has run" */
const BEFORE_RUN = /\b(?:before|after|until|unless|once|when)\s+(?:the\s+)?["'“「『]?$/i;
const RUN = /^["'”’」』]?\s+(?:has|have|is|runs|completes|finishes|passes|returns)\b/i;
/** What joins a name to the one before it: "a, b or c". */
const JOINED =
  /^["'”’」』)\]]{0,2}\s*(?:skills?\s*)?(?:\([^()]{0,40}\)\s*)?(?:,?\s*(?:and|or|then|&|\+)\s|,|、|と|和|或者?|または|\/)\s*(?:the\s+)?["'“「『]?$/i;
const PLACEHOLDER =
  /^(?:my|your|the|this|that|some|other|another|example|sample|test|foo|xxx)-|-(?:name|here|example)$|^skill-/i;

/** Every reference to another skill in a passage, in text order; what is no more than a word is none. */
export function findReferences(passage: Passage, from: SkillMetadata, index: SkillIndex): Found[] {
  const { text, marks, kind } = passage;
  const paths = pathReferences(passage, from, index);
  const taken = paths.map(({ start, end }): [number, number] => [start, end]);
  const found: Found[] = paths.filter(isReference);
  const code = marks.filter((mark) => mark.kind === "code");

  let lastEnd = -1;
  const consider = (start: number, name: string): void => {
    const end = start + name.length;
    if (taken.some(([from_, to]) => start < to && end > from_)) return;
    const skill = nearestSkill(index, name, from);
    const before = text.slice(Math.max(0, start - 70), start);
    const after = text.slice(end, end + 30);
    const namespace = NAMESPACE.exec(before)?.[1];
    const isSlash = SLASH.test(before) || (namespace?.startsWith("/") ?? false);
    if (/^[/\\]\w|^\.\w|^\(/.test(after) || (before.endsWith("/") && !isSlash)) return;
    if (/[\w@.]$/.test(before) || before.endsWith("--")) return;
    const isCall = CALL.test(before);
    const isWiki = before.endsWith("[[") && after.startsWith("]]");
    const isDollar = /(?:^|[^\w$\\])\$$/.test(before);
    const whole = start - (namespace ? namespace.length + 1 : isSlash || isDollar ? 1 : 0);
    const around = marks.find((mark) => mark.start <= whole && mark.end >= end);
    const isExact = around !== undefined && around.start >= whole - 1 && around.end <= end + 1;
    const isSkill = SKILL_AFTER.test(after);
    const isSure = isCall || isWiki || isDollar || isSlash || namespace !== undefined;
    const isDirected = DIRECTIVE_END.test(before);
    const isHyphenated = name.includes("-") || !/^\w+$/.test(name);
    // A command is called by its name; a number after a colon is none.
    if (isSure && !isHyphenated && skill && nameKey(skill.name) !== nameKey(name)) return;
    if (/^\d+$/.test(name) || /^[:=]["'\w]/.test(after) || (isCall && /^\s?[:=]\s/.test(after))) return;
    if (skill === undefined) {
      if (!isMeant(name, { isCall, isSkill, isExact, before, namespace })) return;
    } else if (!isSure) {
      const isSaid = isHyphenated
        ? isExact ||
          isSkill ||
          isDirected ||
          SKILL_BEFORE.test(before) ||
          POINTER.test(before) ||
          JAPANESE_DIRECTIVE.test(after) ||
          (BEFORE_RUN.test(before) && RUN.test(after)) ||
          MUST_BE_RUN.test(after) ||
          (lastEnd >= 0 && start - lastEnd < 60 && JOINED.test(text.slice(lastEnd, start))) ||
          isListed(kind, text, start, before, after)
        : (isSkill && (isExact || isDirected || /\b(?:see|via)\s+the\s+$/i.test(before))) ||
          (isExact && SKILL_BEFORE.test(before)) ||
          (skill !== null &&
            nameKey(skill.name) === nameKey(name) &&
            isOneWordName({ passage, start, before, after, isExact }));
      if (!isSaid || (skill !== null && !isExact && !isAsWritten(name, skill.name, isSkill))) return;
    }
    const span = code.find((mark) => mark.start <= start && mark.end >= end);
    const isCode = span !== undefined && whole > span.start + 1 && !isCall;
    found.push({
      start: whole,
      end,
      name,
      skill,
      isFile: false,
      isCode,
      isMarked: isSure || isExact || isSkill || (isHyphenated && MUST_BE_RUN.test(after)),
    });
    lastEnd = end;
  };

  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match; match = WORD.exec(text)) {
    const at = WORD.lastIndex;
    if (mayName(match[0], text, match.index, index)) consider(match.index, match[0]);
    WORD.lastIndex = at;
  }
  if (index.otherNames.size > 0) for (const mark of marks) considerMark(mark, text, index, consider);
  return found.filter(({ skill }) => skill?.path !== from.path).sort((a, b) => a.start - b.start);
}

/** As the skill writes its name, in small letters, or as an acronym: "the PDF skill". */
function isAsWritten(name: string, own: string, isSkill: boolean): boolean {
  return name === own || name === name.toLowerCase() || (isSkill && name === name.toUpperCase());
}

/** Most words are no skill's name; they are not looked at. */
function mayName(word: string, text: string, start: number, index: SkillIndex): boolean {
  // Of Latin letters alone, so there is nothing to normalize.
  if (index.byName.has(word.toLowerCase())) return true;
  return word.includes("-")
    ? word.length < 65
    : /[:(]["'`]?$/.test(text.slice(Math.max(0, start - 2), start));
}

/** A name in another script stands out by its markup alone. */
function considerMark(
  { start, end }: Mark,
  text: string,
  index: SkillIndex,
  consider: (start: number, name: string) => void,
): void {
  const name = text.slice(start, end);
  if (name.length < 200 && index.otherNames.has(nameKey(name))) consider(start, name);
}

function isReference(path: PathReference | Found): path is Found {
  return path.name !== "";
}

/** `- name - what it does`, `| name |` and `(name)`. */
function isListed(
  kind: Passage["kind"],
  text: string,
  start: number,
  before: string,
  after: string,
): boolean {
  if (/\($/.test(before) && /^\)/.test(after)) return true;
  if (kind === "row") return /\|\s*$/.test(before) && /^\s*(?:\||\()/.test(after);
  const isFirst = /^(?:\[[ xX]\]\s*)?$/.test(text.slice(0, Math.min(start, 8))) && start < 8;
  return kind === "item" && isFirst && /^\s*(?:[-–—:(：]|→|$)/.test(after);
}

interface Form {
  readonly isCall: boolean;
  readonly isSkill: boolean;
  readonly isExact: boolean;
  readonly before: string;
  readonly namespace: string | undefined;
}

/** Whether a name that no skill has clearly means one all the same. */
function isMeant(name: string, { isCall, isSkill, isExact, before, namespace }: Form): boolean {
  if (PLACEHOLDER.test(name) || /^\d+$/.test(name)) return false;
  if (/\b(?:formerly|replace[sd]?|former|absorbs?)\b[^.;]{0,40}$/i.test(before)) return false;
  if (isCall) return name.length > 2 && /^[a-z]/.test(name);
  if (/SUB-SKILL\b[^.]{0,40}$/.test(before))
    return namespace !== undefined || (isExact && name.includes("-"));
  // "building a `pdf-editor` skill" speaks of one that could be.
  return isSkill && isExact && name.includes("-") && /^[a-z]/.test(name) && !/\ban?\s+\W?$/i.test(before);
}
