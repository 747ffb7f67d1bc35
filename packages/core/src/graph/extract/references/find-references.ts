import type { SkillMetadata } from "../../../skill/schema.ts";
import type { Lexicon } from "../lexicon/lexicon.ts";
import { nameKey, nearestSkill, type SkillIndex } from "../skill-index.ts";
import type { Mark } from "../text/flat-text.ts";
import type { Passage } from "../text/passages.ts";
import { oneWordName } from "./one-word-name.ts";
import { type PathReference, pathReferences } from "./path-references.ts";
import type { FoundReference } from "./reference.ts";
import { isMeantWithoutSkill } from "./without-skill.ts";

const WORD = /[A-Za-z0-9_]+(?:-+[A-Za-z0-9_]+)*/g;
const NAMESPACE = /(?<![\w:/.-])(\/?[A-Za-z][\w.-]{0,60}):$/;
const SLASH = /(?:^|[\s(（"'“「『：:,、→>[=|])\/$/;
const CALL = /\bSkill\(\s?["'`]?(?:skill\s?[:=]\s?)?["'`]?(?:[\w.-]+:)?$/;

/** Forms that can only mean a skill. */
const FORMS = ["skill-call", "wiki-link", "dollar-name", "slash-command", "namespaced-name"] as const;

/** Every reference to another skill in a passage, in text order; ordinary words are not references. */
export function findReferences(
  passage: Passage,
  from: SkillMetadata,
  index: SkillIndex,
  lexicon: Lexicon,
): FoundReference[] {
  const { text, marks, kind } = passage;
  const paths = pathReferences(passage, from, index);
  const taken = paths.map(({ start, end }): [number, number] => [start, end]);
  const found: FoundReference[] = paths.filter(isReference);
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
    const isSkill = lexicon.has("skill-word-after", { after });
    const isNamespaced = namespace !== undefined;
    const form = FORMS.find((_, at) => [isCall, isWiki, isDollar, isSlash, isNamespaced][at]);
    const isHyphenated = name.includes("-") || !/^\w+$/.test(name);
    // A command has a name; a number after a colon is not one.
    if (form && !isHyphenated && skill && nameKey(skill.name) !== nameKey(name)) return;
    if (/^\d+$/.test(name) || /^[:=]["'\w]/.test(after) || (isCall && /^\s?[:=]\s/.test(after))) return;
    const between = lastEnd >= 0 && start - lastEnd < 60 ? text.slice(lastEnd, start) : undefined;
    let by: string | undefined = form;
    if (skill === undefined) {
      const isJoinedToLabelled =
        between !== undefined && found.at(-1)?.by === "labelled-name" && lexicon.has("joins", { between });
      const unknown = { name, isCall, isSkill, isExact, before, after, namespace, isJoinedToLabelled };
      by = isMeantWithoutSkill(unknown, lexicon);
    } else if (!by) {
      const place: Place = { passage, start, before, after, between, isExact, isSkill };
      if (isHyphenated) by = hyphenatedName(place, lexicon) ?? listedName(place, kind);
      else if (isSkill && isExact) by = "marked-name";
      else if (isSkill)
        by = (lexicon.find("directs", { before }) ?? lexicon.find("points-to-skill", { before }))?.id;
      else if (isExact && lexicon.has("skill-word-before", { before })) by = "marked-name";
      if (!by && !isHyphenated && skill && nameKey(skill.name) === nameKey(name))
        by = oneWordName(place, lexicon);
      if (skill !== null && !isExact && !isAsWritten(name, skill.name, isSkill)) return;
    }
    if (by === undefined) return;
    const span = code.find((mark) => mark.start <= start && mark.end >= end);
    const isCode = span !== undefined && whole > span.start + 1 && !isCall;
    const isMarked =
      form !== undefined || isExact || isSkill || (isHyphenated && lexicon.has("must-be-run", { after }));
    found.push({ start: whole, end, name, skill, by, isFile: false, isCode, isMarked });
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

interface Place {
  readonly passage: Passage;
  readonly start: number;
  readonly before: string;
  readonly after: string;
  /** The text since the previous name, if that is near. */
  readonly between: string | undefined;
  readonly isExact: boolean;
  readonly isSkill: boolean;
}

/** The form or rule by which a hyphenated word is a skill name. */
function hyphenatedName(place: Place, lexicon: Lexicon): string | undefined {
  const { before, after, between, isExact, isSkill } = place;
  if (isExact) return "marked-name";
  if (isSkill) return "skill-after-name";
  const rule =
    lexicon.find("directs", { before }) ??
    lexicon.find("skill-word-before", { before }) ??
    lexicon.find("reference", { before, after }) ??
    lexicon.find("directs-after", { after }) ??
    lexicon.find("must-be-run", { after });
  return (rule ?? (between === undefined ? undefined : lexicon.find("joins", { between })))?.id;
}

/** `- name - what it does`, `| name |` and `(name)`. */
function listedName({ passage: { text }, start, before, after }: Place, kind: Passage["kind"]) {
  if (/\($/.test(before) && /^\)/.test(after)) return "name-in-brackets";
  if (kind === "row") return /\|\s*$/.test(before) && /^\s*(?:\||\()/.test(after) ? "listed-name" : undefined;
  const isFirst = /^(?:\[[ xX]\]\s*)?$/.test(text.slice(0, Math.min(start, 8))) && start < 8;
  return kind === "item" && isFirst && /^\s*(?:[-–—:(：]|→|$)/.test(after) ? "listed-name" : undefined;
}

/** As the skill spells its name, in lower case, or as an acronym: "the PDF skill". */
function isAsWritten(name: string, own: string, isSkill: boolean): boolean {
  return name === own || name === name.toLowerCase() || (isSkill && name === name.toUpperCase());
}

/** Most words are not skill names; skip them early. */
function mayName(word: string, text: string, start: number, index: SkillIndex): boolean {
  // Only Latin letters, so nothing to normalize.
  if (index.byName.has(word.toLowerCase())) return true;
  return word.includes("-")
    ? word.length < 65
    : /[:(]["'`]?$/.test(text.slice(Math.max(0, start - 2), start));
}

/** A name in another script is recognized only by its markup. */
function considerMark(
  { start, end }: Mark,
  text: string,
  index: SkillIndex,
  consider: (start: number, name: string) => void,
): void {
  const name = text.slice(start, end);
  if (name.length < 200 && index.otherNames.has(nameKey(name))) consider(start, name);
}

function isReference(path: PathReference | FoundReference): path is FoundReference {
  return path.name !== "";
}
