import { posix } from "node:path";
import { fold } from "../shared/fold.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { lexicon } from "./lexicon/lexicon.ts";
import { listsRequired, type Passage } from "./passages.ts";
import { nearestSkill, type SkillIndex, slashed } from "./skill-index.ts";

/** A position in a passage that names a skill: `text.slice(start, end)`, with its slash, namespace or path. */
export interface FoundReference {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** `null`: several are equally near. `undefined`: none exists, although one is clearly meant. */
  readonly skill: SkillMetadata | null | undefined;
  /** The form or rule that makes it a reference. */
  readonly by: string;
  /** A file of the skill, not the skill itself. */
  readonly isFile: boolean;
  /** Inside code that is more than the reference. */
  readonly isCode: boolean;
  /** Written in a form that can only mean a skill, or marked as a name. */
  readonly isMarked: boolean;
}

const WORD = /[A-Za-z0-9_]+(?:-+[A-Za-z0-9_]+)*/g;
const NAMESPACE = /(?<![\w:/.-])(\/?[A-Za-z][\w.-]{0,60}):$/;
const SLASH = /(?:^|[\s(（"'“「『：:,、→>[=|])\/$/;
const CALL = /\bSkill\(\s?["'`]?(?:skill\s?[:=]\s?)?["'`]?(?:[\w.-]+:)?$/;

const FORMS = ["skill-call", "wiki-link", "dollar-name", "slash-command", "namespaced-name"] as const;

export function findReferences(passage: Passage, from: SkillMetadata, index: SkillIndex): FoundReference[] {
  const { text, marks, kind } = passage;
  const paths = pathReferences(passage, from, index);
  const found = paths.filter((path): path is FoundReference => path.name !== "");
  const code = marks.filter((mark) => mark.kind === "code");

  let lastEnd = -1;
  const consider = (start: number, name: string): void => {
    const end = start + name.length;
    if (paths.some((path) => start < path.end && end > path.start)) return;
    const skill = nearestSkill(index, name, from);
    const before = text.slice(Math.max(0, start - 70), start);
    const after = text.slice(end, end + 30);
    const namespace = NAMESPACE.exec(before)?.[1];
    const isSlash = SLASH.test(before) || (namespace?.startsWith("/") ?? false);
    if (/^[/\\]\w|^\.\w|^\(/.test(after) || (before.endsWith("/") && !isSlash)) return;
    // `/templates/[slug]` is a route of a server.
    if (isSlash && after.startsWith("/")) return;
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
    if (form && !isHyphenated && skill && fold(skill.name) !== fold(name)) return;
    if (/^\d+$/.test(name) || /^[:=]["'\w]/.test(after) || (isCall && /^\s?[:=]\s/.test(after))) return;
    const between = lastEnd >= 0 && start - lastEnd < 60 ? text.slice(lastEnd, start) : undefined;
    let by: string | undefined = form;
    if (skill === undefined) {
      const isJoinedToLabelled =
        between !== undefined && found.at(-1)?.by === "labelled-name" && lexicon.has("joins", { between });
      const unknown = { name, isCall, isSkill, isExact, before, after, namespace, isJoinedToLabelled };
      by = isMeantWithoutSkill(unknown);
    } else if (!by) {
      const place: NamePlace = { passage, start, before, after, between, isExact, isSkill };
      if (isHyphenated) by = hyphenatedName(place) ?? listedName(place, kind);
      else if (isSkill && isExact) by = "marked-name";
      else if (isSkill)
        by = (lexicon.find("directs", { before }) ?? lexicon.find("points-to-skill", { before }))?.id;
      else if (isExact && lexicon.has("skill-word-before", { before })) by = "marked-name";
      by ??= typeBehind(after);
      if (!by && !isHyphenated && skill && fold(skill.name) === fold(name)) by = oneWordName(place);
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

  for (const { 0: word, index: at } of text.matchAll(WORD))
    if (mayName(word, text, at, index)) consider(at, word);
  // A name in another script is recognized only by its markup.
  for (const { start, end } of index.otherNames.size > 0 ? marks : []) {
    const name = text.slice(start, end);
    if (name.length < 200 && index.otherNames.has(fold(name))) consider(start, name);
  }
  return found.filter(({ skill }) => skill?.path !== from.path).sort((a, b) => a.start - b.start);
}

interface NamePlace {
  readonly passage: Passage;
  readonly start: number;
  readonly before: string;
  readonly after: string;
  /** The text since the previous name, if that is near. */
  readonly between: string | undefined;
  /** Marked as a name, and nothing else inside the markup. */
  readonly isExact: boolean;
  /** Followed by the word "skill". */
  readonly isSkill: boolean;
}

/** The rule by which a type of document 000 §3 follows: "x (requires_now)". */
function typeBehind(after: string): string | undefined {
  for (const type of ["typed-now", "typed-later", "typed-reference"] as const) {
    const rule = lexicon.find(type, { after });
    if (rule) return rule.id;
  }
  return undefined;
}

function hyphenatedName(place: NamePlace): string | undefined {
  const { before, after, between, isExact, isSkill } = place;
  if (isExact) return "marked-name";
  if (isSkill) return "skill-after-name";
  if (isLabelledSkill(before, false)) return "labelled-name";
  const rule =
    lexicon.find("directs", { before }) ??
    lexicon.find("skill-word-before", { before }) ??
    lexicon.find("reference", { before, after }) ??
    lexicon.find("directs-after", { after }) ??
    lexicon.find("must-be-run", { after });
  return (rule ?? (between === undefined ? undefined : lexicon.find("joins", { between })))?.id;
}

/** `- name - what it does`, `| name |` and `(name)`. */
function listedName({ passage: { text }, start, before, after }: NamePlace, kind: Passage["kind"]) {
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

/**
 * Why an ordinary word (`testing`) means a skill: by a label, in a list of skills, as something to use. Most skills with
 * one-word names are named after a thing.
 */
function oneWordName(place: NamePlace): string | undefined {
  const { passage, start, before, after, isExact } = place;
  if (isLabelledSkill(before, isExact)) return "labelled-name";
  const facts = new Set(isExact ? (["marked"] as const) : []);
  const rule = lexicon.find("one-word-name", { before, after, facts });
  if (rule) return rule.id;
  if (!isExact) return undefined;
  if (isListedSkill(passage, start)) return "listed-name";
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
function isListedSkill(passage: Passage, start: number): boolean {
  const { kind, text, headings, leadIns } = passage;
  const title = leadIns[0] ?? headings[0] ?? "";
  if (kind !== "item" || !/^\W*$/.test(text.slice(0, start))) return false;
  return SKILL.test(title) && listsRequired(title) !== null;
}

/** `text`: from label to name; `kind`: what is required ("SUB-SKILL", or empty); `rest`: between colon and name. */
export function labelBefore(before: string) {
  const found = lexicon.match("label", before);
  if (!found) return null;
  const { kind = "", rest = "" } = found.match.groups ?? {};
  return { rule: found.rule.id, text: found.match[0], kind, rest };
}

const SKILL = /skill|スキル|技能|requires[_-]|reference[_-]/i;
/** Only signs and a namespace between label and name. */
const AT_ONCE = /^\W*(?:[\w.-]+:)?\W?$/;

/** Whether a label about skills leads to this name: "REQUIRED SUB-SKILL: Use x". */
function isLabelledSkill(before: string, isExact: boolean): boolean {
  const label = labelBefore(before);
  if (!label || !SKILL.test(label.kind)) return false;
  const { rest } = label;
  if (isExact) return !/[.;。；]/.test(rest);
  if (AT_ONCE.test(rest)) return true;
  return lexicon.has("directs", { before: rest }) && rest.trim().split(/\s+/).length < 4;
}

interface Unknown extends Pick<NamePlace, "before" | "after" | "isExact" | "isSkill"> {
  readonly name: string;
  readonly isCall: boolean;
  readonly namespace: string | undefined;
  /** Joined by "and" or a comma to a name after a label. */
  readonly isJoinedToLabelled: boolean;
}

function isMeantWithoutSkill(unknown: Unknown): string | undefined {
  const { name, isCall, isSkill, isExact, before, after, namespace, isJoinedToLabelled } = unknown;
  if (/^\d+$/.test(name) || lexicon.says("placeholder", name)) return undefined;
  if (lexicon.has("former-skill", { before })) return undefined;
  if (isCall) return name.length > 2 && /^[a-z]/.test(name) ? "skill-call" : undefined;
  if (/SUB-SKILL\b[^.]{0,40}$/.test(before) && (namespace !== undefined || (isExact && name.includes("-"))))
    return "labelled-name";
  // "Use test-driven development" does not name a skill.
  const mayEnd = isExact || isSkill || lexicon.has("goes-on", { after });
  if (name.includes("-") && mayEnd && (isJoinedToLabelled || isLabelledSkill(before, isExact)))
    return "labelled-name";
  // "building a `pdf-editor` skill" is about a possible skill.
  const isNamed = isSkill && isExact && name.includes("-") && /^[a-z]/.test(name);
  return isNamed && !/\ban?\s+\W?$/i.test(before) ? "marked-name" : undefined;
}

/** A path or a URL; with an empty name it refers to no skill, and neither do the words in it. */
type PathReference = FoundReference | { readonly start: number; readonly end: number; readonly name: "" };

const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s)>\]]+/gi;
const PATH = /(?<![\w:])(?:[\w.@~${}-]+\/|(?<=[\s("'])\/(?=[\w.-]+\/))+[\w.@*-]*/g;
const WEB = /^[a-z][a-z0-9+.-]*:|^#|^\/\/|^\w[\w-]*\.(?:com|org|io|dev|net|ai)\//i;

/** Paths in the text and targets of links: `../name/SKILL.md`, `skills/name`, `group/name`. */
function pathReferences(passage: Passage, from: SkillMetadata, index: SkillIndex): PathReference[] {
  const { text, marks } = passage;
  const found: PathReference[] = [];
  if (!text.includes("/") && !marks.some(({ kind }) => kind === "link")) return found;
  for (const match of text.matchAll(ADDRESS))
    found.push({ start: match.index, end: match.index + match[0].length, name: "" });
  const addresses = found.length;
  for (const { kind, start, end, url = "" } of marks) {
    const made = kind === "link" ? skillAt(url.replace(/[#?].*$/, ""), from, index) : undefined;
    if (made?.name) found.push({ start, end, ...made, by: "link", isCode: false, isMarked: true });
  }
  for (const match of text.matchAll(PATH)) {
    const start = match.index;
    const path = match[0].replace(/[.]+$/, "");
    const end = start + path.length;
    if (found.slice(0, addresses).some((address) => start < address.end && end > address.start)) continue;
    const made = skillAt(path, from, index);
    if (!made) continue;
    if (found.some((other) => other.name !== "" && start < other.end && end > other.start)) continue;
    const code = marks.find((mark) => mark.kind === "code" && mark.start <= start && mark.end >= end);
    const isCode = code !== undefined && start > code.start + 1;
    found.push(
      made.name === ""
        ? { start, end, name: "" }
        : { start, end, ...made, by: "path", isCode, isMarked: true },
    );
  }
  return found;
}

type PathTarget = Pick<FoundReference, "name" | "skill" | "isFile">;

/** The skill at a path, or that contains it. `undefined` if words in the path may still be names. */
function skillAt(given: string, from: SkillMetadata, index: SkillIndex): PathTarget | undefined {
  const none: PathTarget = { name: "", skill: undefined, isFile: false };
  if (given === "" || WEB.test(given)) return given === "" ? undefined : none;
  const parts = given.split("/").filter((part) => part !== "");
  const isSkillFile = parts.at(-1)?.toUpperCase() === "SKILL.MD";
  if (isSkillFile) parts.pop();
  if (/^\.\.?\//.test(given)) {
    const folder = posix.join(slashed(from.dir), parts.join("/"));
    const own = slashed(from.dir);
    if (folder === own || folder.startsWith(`${own}/`)) return none;
    const place = index.byFolder.get(folder);
    if (place) return { name: place.name, skill: place, isFile: false };
  }
  const inSkills = parts.lastIndexOf("skills");
  const isRelative = parts[0] === "..";
  for (let at = parts.length - 1; at > 0 || (at === 0 && isSkillFile); at--) {
    const name = parts[at] as string;
    const skill = /^\.|\.\w{1,5}$/.test(name) ? undefined : nearestSkill(index, name, from);
    if (skill === undefined) continue;
    const isLast = at === parts.length - 1;
    // `group/name` is a reference if the name is unambiguous.
    if (!isRelative && inSkills < 0 && !isSkillFile && !(isLast && name.includes("-"))) continue;
    if (inSkills >= at) break;
    return { name, skill, isFile: !isLast };
  }
  const name = parts.at(-1) ?? "";
  const isNamed = /^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(name) && !/^(?:my|your|example|skill)-|-name$/.test(name);
  if (isSkillFile && isNamed && (isRelative || parts[0] === "skills"))
    return { name, skill: undefined, isFile: false };
  return parts.length > 1 ? none : undefined;
}
