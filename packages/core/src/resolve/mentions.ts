import { realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { unescape as percentDecoded } from "node:querystring";
import { tryOr } from "../shared/errors.ts";
import { normalize } from "../shared/fold.ts";
import { closingRuns, MarkdownLines } from "../skill/markdown.ts";
import type { SkillMetadata } from "../skill/schema.ts";

/** One skill, or the paths of all that share the name. */
type Meaning = { readonly skill: SkillMetadata } | { readonly candidates: readonly string[] };

/** A place in a text that names a skill explicitly: `text.slice(start, end)`. */
export type Mention = Meaning & {
  /** `$name`, `[$name](path)`, "use the name skill", or `/command` in front of everything. */
  readonly form: "dollar" | "link" | "phrase" | "command";
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

/** Shell variables are not skills, even where one has such a name. */
const ENVIRONMENT = new Set("PATH HOME USER SHELL PWD TMPDIR TEMP TMP LANG TERM XDG_CONFIG_HOME".split(" "));
const QUOTES = new Map(["``", '""', "''", "“”", "‘’", "「」", "『』"].map(([open, close]) => [open, close]));

// Marks belong to the letter before them, for a name may be written decomposed; variation selectors belong to emoji.
const LETTER = String.raw`[[\p{L}\p{N}\p{M}]--\p{Variation_Selector}]`;
const NAME_CHAR = `[${LETTER}_:\\-]`;
// These scripts put no space, or a particle, where a word ends: "请用$code-review检查" names code-review.
const SCRIPTS = "Han Bopo Hira Kana Hang Thai Laoo Khmr Mymr"
  .replaceAll(/\w+/g, "\\p{scx=$&}")
  .replaceAll(" ", "");
const UNSPACED = `[${LETTER}&&[${SCRIPTS}]]`;
const WORD_CHAR = `[[${LETTER}_]--${UNSPACED}]`;

// Edges are split at and never repeated over: on a long text a quantifier over such a class overflows V8's stack.
const RUN_EDGE = new RegExp(`(?<=${NAME_CHAR})(?!${NAME_CHAR})|(?<!${NAME_CHAR})(?=${NAME_CHAR})`, "v");
const PART_EDGE = new RegExp(
  `(?<=${UNSPACED})(?!${UNSPACED})|(?<!${UNSPACED})(?=${UNSPACED})|(?<=用)|(?=技能|スキル)`,
  "v",
);
const HAS_UNSPACED = new RegExp(UNSPACED, "v");
const HAS_OTHER = new RegExp(`^$|[^${NAME_CHAR}]`, "v");
// The look-behind keeps the search linear on long rows.
const LAST_PUNCTUATION = /(?<![-:])[-:]+$/;

/** A character class per letter: with `(?i:…)` V8 stopped matching "LOAD" later in a process. */
const anyCase = (words: string): string =>
  words.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
const VERB = String.raw`(?<![${WORD_CHAR}\/])(?:${anyCase("use|run|invoke|load")})\s{1,9}(?:${anyCase("the")}\s{1,9})?`;
const SKILL = `${anyCase("skill")}(?!${WORD_CHAR})`;
/** What stands before a name and after it, in English (either order), Chinese and Japanese. */
const PHRASES = [
  { before: new RegExp(`(?<=(${VERB}))`, "vy"), after: new RegExp(`\\s{1,9}${SKILL}`, "vy") },
  { before: new RegExp(`(?<=(${VERB}${anyCase("skill")}\\s{1,9}))`, "vy"), after: /(?:)/y },
  { before: /(?<=(使?用\s{0,9}))/y, after: new RegExp(`\\s{0,9}(?:技能|${SKILL})`, "vy") },
  { before: /(?:)/y, after: /\s{0,9}スキルを(?:使って|使用)/y },
];
const DOLLAR = new RegExp(String.raw`(?<=(?<![${WORD_CHAR}\\$])\$)`, "vy");
const COMMAND = /^\s*(\/\S+)/;
/** The path may have some pairs of parentheses, or stand in angle brackets. */
const LINK =
  /(?<!\\)\[\$[^[\]\r\n]+\]\((?:<([^<>\r\n]+)>|([^()<>\r\n]+(?:\([^()<>\r\n]*\)[^()<>\r\n]*){0,9}))\)/g;

const AFTER_BLANK_LINE = /(?<=\n[ \t\r]*\n)/;

/** Exact and case-sensitive, in text order, in linear time. */
export function findMentions(text: string, skills: readonly SkillMetadata[]): Mention[] {
  // A name with other characters, as a folder may have it, can only be linked to.
  const nameable = skills.filter(({ name }) => !HAS_OTHER.test(name));
  // Not `fold`: document 002 §5.3 wants names as they are spelled. Composed and decomposed letters are one spelling.
  const byName = indexBy(nameable, ({ name }) => normalize(name, "NFC"));
  // Decomposed, a name has at most four times its length. What is longer is no name.
  const longest = 4 * skills.reduce((most, { name }) => Math.max(most, name.length), 0);
  const named: Lookup = (name) => (name.length > longest ? undefined : byName.get(normalize(name, "NFC")));

  const found: Mention[] = [];
  const add = (form: Mention["form"], start: number, length: number, meaning: Meaning | undefined): void => {
    const end = start + length;
    if (meaning) found.push({ form, text: text.slice(start, end), start, end, ...meaning });
  };

  const prose = blankCode(text, named);
  const command = COMMAND.exec(prose)?.[1];
  if (command) {
    const declaring = skills.filter((skill) => skill.command === command.slice(1));
    add("command", prose.indexOf("/"), command.length, meaningOf(declaring));
  }

  const byFolder = indexBy(prose.includes("[$") ? skills : [], ({ path }) => folderOf(path));
  const plain = prose.replace(LINK, (link, angled: string | undefined, bare: string, start: number) => {
    const path = (angled ?? bare).trim();
    const bareUrl = path.replace(/^file:\/\//, "");
    const spellings = bareUrl === path ? [path] : [bareUrl, percentDecoded(bareUrl)];
    const folders = spellings.map(folderOf);
    const spelling = [...folders, ...folders.map(realFolder)].find((folder) => byFolder.has(folder));
    if (spelling !== undefined) add("link", start, link.length, byFolder.get(spelling));
    return blank(link); // whatever the path names, the label alone names nothing
  });

  for (const [start, name, meaning] of words(plain, named)) {
    if (matchAt(DOLLAR, plain, start) !== undefined) {
      if (!ENVIRONMENT.has(name)) add("dollar", start - 1, name.length + 1, meaning);
      continue;
    }
    const end = start + name.length;
    const quote = end < plain.length && QUOTES.get(plain[start - 1]) === plain[end] ? 1 : 0;
    for (const { before, after } of PHRASES) {
      const lead = matchAt(before, plain, start - quote);
      const tail = lead === undefined ? undefined : matchAt(after, plain, end + quote);
      if (lead === undefined || tail === undefined) continue;
      const length = lead.length + name.length + 2 * quote + tail.length;
      add("phrase", start - quote - lead.length, length, meaning);
    }
  }
  return decidedByPath(longestOfOverlapping(found));
}

/** Document 004 §3.1: where a name could mean several skills and a link in the text names one of them, that one is meant. */
function decidedByPath(mentions: Mention[]): Mention[] {
  const linked = mentions.flatMap((mention) =>
    "skill" in mention && mention.form === "link" ? mention.skill : [],
  );
  return mentions.map((mention) => {
    if ("skill" in mention) return mention;
    const { candidates, ...place } = mention;
    const [skill, ...others] = new Set(linked.filter(({ path }) => candidates.includes(path)));
    return skill && others.length === 0 ? { ...place, skill } : mention;
  });
}

type Lookup = (name: string) => Meaning | undefined;

function indexBy(skills: readonly SkillMetadata[], keyOf: (skill: SkillMetadata) => string) {
  const index = new Map<string, Meaning | undefined>();
  for (const [key, group] of Map.groupBy(skills, keyOf)) index.set(key, meaningOf(group));
  return index;
}

function meaningOf(group: readonly SkillMetadata[]): Meaning | undefined {
  const [skill] = group;
  const candidates = group.length > 1 ? [...new Set(group.map(({ path }) => path))].sort() : [];
  return candidates.length > 1 ? { candidates } : skill && { skill };
}

/** A skill's folder, from the path of its folder or of its `SKILL.md`. */
function folderOf(path: string): string {
  return path.replace(/[\\/]$/, "").replace(/[\\/]SKILL\.md$/, "");
}

/** With links resolved, as in the catalog. */
function realFolder(folder: string): string {
  // Where nothing is, it names no skill.
  return isAbsolute(folder) ? tryOr(() => realpathSync(folder), folder) : folder;
}

/** A whole run of name characters, else its parts of one kind of script. */
function* words(text: string, named: Lookup): Generator<[start: number, name: string, meaning: Meaning]> {
  let at = 0;
  for (const run of text.split(RUN_EDGE)) {
    const whole = named(run) ? run : run.replace(LAST_PUNCTUATION, "");
    const isGlued = HAS_UNSPACED.test(whole) && !named(whole);
    let partAt = at;
    for (const part of isGlued ? whole.split(PART_EDGE) : [whole]) {
      const meaning = named(part);
      if (meaning) yield [partAt, part, meaning];
      partAt += part.length;
    }
    at += run.length;
  }
}

/** The group, or all, that a sticky pattern finds there. */
function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.at(-1);
}

/** Code becomes backticks: offsets stay, and no pattern accepts more than a pair of them. */
function blank(code: string): string {
  return "`".repeat(code.length);
}

function blankCode(text: string, named: Lookup): string {
  const pieces: string[] = [];
  const fences = new MarkdownLines();
  let [from, at, inCode] = [0, 0, false];
  const readTo = (end: number): void => {
    const piece = text.slice(from, end);
    if (inCode) pieces.push(blank(piece));
    else for (const part of piece.split(AFTER_BLANK_LINE)) pieces.push(blankSpans(part, named));
    from = end;
  };
  for (const line of text.split("\n")) {
    const isCode = fences.isCode(line);
    if (isCode !== inCode) readTo(at);
    inCode = isCode;
    at += line.length + 1;
  }
  readTo(text.length);
  return pieces.join("");
}

/** A span ends at the next run of as many backticks, in its paragraph. One that is a name stays, for the phrases. */
function blankSpans(paragraph: string, named: Lookup): string {
  const closing = closingRuns(paragraph);
  let blanked = "";
  let at = 0;
  for (const { index, 0: run } of paragraph.matchAll(/`+/g)) {
    const close = closing.get(index);
    if (index < at || close === undefined) continue;
    let backslashes = 0;
    while (paragraph[index - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 1) continue;
    const isKept = named(paragraph.slice(index + run.length, close)) !== undefined;
    const span = paragraph.slice(index, close + run.length);
    blanked += paragraph.slice(at, index) + (isKept ? span : blank(span));
    at = close + run.length;
  }
  return blanked + paragraph.slice(at);
}

function longestOfOverlapping(found: Mention[]): Mention[] {
  const kept: Mention[] = [];
  for (const mention of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (!last || mention.start >= last.end) kept.push(mention);
    else if (mention.end - mention.start > last.end - last.start) kept[kept.length - 1] = mention;
  }
  return kept;
}
