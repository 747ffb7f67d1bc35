import { FENCE_MARK } from "../skill/markdown-fences.ts";
import { POINTERS } from "./lexicon/en-titles.ts";
import type { Lexicon } from "./lexicon/lexicon.ts";
import { re } from "./lexicon/rule.ts";
import { nameKey, type SkillIndex } from "./skill-index.ts";

/** A line of this length is data, not a sentence. */
const LONGEST_LINE = 16_384;
/** The maximum to parse of one text; far more than any real skill that names others. */
const MAX_LINES = 2_000;
const MAX_CHARACTERS = 262_144;

interface RelevantText {
  readonly text: string;
  /** For each line of `text`, its line in the body, from 0. */
  readonly lines: readonly number[];
}

/**
 * The blocks of a text that name a skill or lead to one that does, with a blank line for omitted blocks. Parsing is by far
 * the most expensive part, and nine tenths of all text are not needed. `null` if none is.
 */
export function relevantText(
  body: string,
  index: SkillIndex,
  own: ReadonlySet<string>,
  lexicon: Lexicon,
): RelevantText | null {
  const lines = body.split(/\r\n|\n|\r/);
  for (const [i, line] of lines.entries())
    if (line.length > LONGEST_LINE) lines[i] = line.slice(0, LONGEST_LINE);
  const names = (line: string): boolean => namesSkill(line, index, own, lexicon);
  // Authors mean nested fences although Markdown has none; unless that would swallow the rest of the text.
  const blocks = blocksOf(lines, names, true) ?? blocksOf(lines, names, false) ?? [];
  if (!blocks.some(({ isNamed }) => isNamed)) return null;
  return joined(lines, neededOf(blocks, lines));
}

function joined(lines: readonly string[], blocks: readonly Block[]): RelevantText {
  const text: string[] = [];
  const numbers: number[] = [];
  let characters = 0;
  let end = 0;
  for (const block of blocks) {
    if (block.start > end) {
      text.push("");
      numbers.push(end);
    }
    for (let at = block.start; at < block.end; at++) {
      const line = lines[at]!;
      characters += line.length;
      if (text.length >= MAX_LINES || characters > MAX_CHARACTERS)
        return { text: text.join("\n"), lines: numbers };
      text.push(line);
      numbers.push(at);
    }
    end = block.end;
  }
  return { text: text.join("\n"), lines: numbers };
}

/** In text order. */
function neededOf(blocks: readonly Block[], lines: readonly string[]): Block[] {
  const kept = new Set(blocks.filter(({ isTag }) => isTag));
  /** The current headings, which matter only if something below them names a skill. */
  const headings: Block[] = [];
  let top = 0;
  let lead = 0;
  let reached = -1;
  for (const [i, block] of blocks.entries()) {
    const line = lines[block.start]!;
    if (block.depth > 0) {
      while (headings.length > 0 && headings.at(-1)!.depth >= block.depth) headings.pop();
      headings.push(block);
    }
    // The start of the list or quotation that an indented block belongs to, and the text before the first item.
    if (!/^[ \t]/.test(line)) top = i;
    if (top === i && !isItem(line)) lead = i;
    if (!block.isNamed) continue;
    for (const heading of headings) kept.add(heading);
    headings.length = 0;
    for (let at = i; at >= top && at > reached; at--) kept.add(blocks[at]!);
    for (const at of [top - 1, lead, lead - 1]) if (at >= 0) kept.add(blocks[at]!);
    reached = i;
  }
  return blocks.filter((block) => kept.has(block));
}

function isItem(line: string): boolean {
  return /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line);
}

export function ownNames(name: string, folder: string): ReadonlySet<string> {
  return new Set([nameKey(name), nameKey(folder)]);
}

const HYPHENATED = /[A-Za-z0-9_]+(?:-+[A-Za-z0-9_]+)+/g;
/** A single word is checked only after something that makes it a name. */
const BEHIND_A_MARK = /(?<=[/:$[])[A-Za-z0-9_]+(?![A-Za-z0-9_]|-+[A-Za-z0-9_])/g;
const BEFORE_SKILL =
  /(?<![A-Za-z0-9_])(?:[A-Za-z0-9_]+(?:-+[A-Za-z0-9_]+)*)(?=[`*"'’”」』\])]{0,4}(?:'s|’s)?\s{0,2}(?:(?:sub-?)?skills?\b|スキル|技能))/gi;
const SKILL = /skill|スキル|技能/i;
/** Forms that mean a skill whether it exists or not. */
const MEANS_A_SKILL =
  /Skill\(|SUB-SKILL|SKILL\.md|(?:REQUIRED|MANDATORY|Required|Mandatory|必須|必须)\s?(?:SKILL|[Ss]kill|スキル|技能)|`[\w-]+-[\w-]+`\*{0,2} (?:sub-?)?skill\b/;
const ONE_WORD_MARKED = /[`*]([A-Za-z0-9_]+)[`*]|\bMUST \w{3,6} (?:the )?([A-Za-z0-9_]+)/g;
const MARKED = /`([^`]{1,80})`|\*\*([^*]{1,80})\*\*|\[([^\][]{1,80})\]/g;
/** What can come before a hyphenated name, and before a single word. */
const BEFORE = [
  /[^\x00-\x7f]\s?$|[`*[/:$("'|>]\s?$/,
  /^\s*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?$/,
  re`(?:\b${[...POINTERS, "before|after|until|unless|once|when|skills?:?"]}|[、用と和或])\s{0,2}$`,
];
const BEFORE_ONE_WORD = /(?:^|[\s(（"'`“「『：,、→>[=|])\/$|(?:\.\.|skills)\/$|[\w-]:$|\$$|\[\[$/;

/** Whether a line may name another skill. Nearly all lines do not, so cheap checks come first. */
function namesSkill(line: string, index: SkillIndex, own: ReadonlySet<string>, lexicon: Lexicon): boolean {
  const isKnown = (word: string): boolean => {
    const key = word.toLowerCase();
    return index.byName.has(key) && !own.has(key);
  };
  if (SKILL.test(line)) {
    if (MEANS_A_SKILL.test(line)) return true;
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

const FENCE = new RegExp(`^[ \\t>]*(?:[-*+][ \\t]+|\\d{1,9}[.)][ \\t]+)?(${FENCE_MARK})`);
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
/** A tag or a comment may continue past its own lines. */
const TAG = /^ {0,3}<|<!--|-->/;
/** More nested containers than any real text has; the Markdown parser takes quadratic time for them. */
const TOO_DEEP = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){24}/;
/** More lines without a blank one than any real paragraph or table has. */
const MAX_BLOCK_LINES = 600;

/** Lines without a blank one in between, a heading, or a fenced block: `lines.slice(start, end)`. */
interface Block {
  readonly start: number;
  end: number;
  isNamed: boolean;
  readonly isTag: boolean;
  readonly depth: number;
}

/** `null` if a nested fence is not closed. Blanks out code in `lines`. */
function blocksOf(lines: string[], names: (line: string) => boolean, nested: boolean): Block[] | null {
  const blocks: Block[] = [];
  let block: Block | null = null;
  let fence = "";
  let inner = 0;
  let mayNest = false;
  /** The text before the fence: where its code begins in a list item or a quotation. */
  let indent = "";
  const code = new Map<number, string>();
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const ticks = FENCE.exec(line)?.[1];
    if (fence !== "") {
      block!.end = i + 1;
      const isBare = ticks !== undefined && /^[`~\s]*$/.test(line.slice(line.indexOf(ticks)));
      if (mayNest && ticks && !isBare) inner++;
      if (isBare && inner > 0) inner--;
      else if (isBare && ticks.startsWith(fence)) {
        code.set(i, `${indent}${fence}`);
        fence = "";
        continue;
      }
      if (line !== "") code.set(i, `${indent}x`);
      continue;
    }
    if (line.trim() === "") {
      block = null;
      continue;
    }
    const depth = HEADING.exec(line)?.[1]?.length ?? 0;
    const isTag = TAG.test(line);
    if (!block || depth > 0 || isTag) {
      block = { start: i, end: i, isNamed: false, isTag, depth };
      blocks.push(block);
    }
    block.end = i + 1;
    if (ticks) {
      fence = ticks;
      indent = line.slice(0, line.indexOf(ticks)).replace(/[^\s>]/g, " ");
      mayNest =
        nested && /^(?:markdown|md|text|mdx)?\s*$/i.test(line.slice(line.indexOf(ticks) + ticks.length));
    } else if (TOO_DEEP.test(line)) {
      lines[i] = "";
      block = null;
      continue;
    } else {
      const isNamed = names(line);
      block.isNamed ||= isNamed;
      // The parser takes quadratic time for long paragraphs: split them, preferably at a line without a name.
      if (i - block.start > (isNamed ? MAX_BLOCK_LINES : MAX_BLOCK_LINES / 2)) {
        lines[i] = "";
        block = null;
        continue;
      }
    }
    if (depth > 0 && !line.includes("<")) block = null;
  }
  if (nested && inner > 0) return null;
  // The content of a code block is not read, but its position may matter. A line that is indented less than its item would
  // end the item, and the closing fence would then open another block with everything that follows.
  for (const [i, line] of code) lines[i] = line;
  return blocks;
}
