import { nameKey, type SkillIndex } from "./skill-index.ts";
import { DIRECTIVE_END } from "./words.ts";

const FENCE = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})/;
/** A heading stays for what is below it, a tag or a comment because it may be open further than its own lines. */
const STAYS = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|<)|<!--|-->/;
const WORD = /[A-Za-z0-9_]+(?:-+[A-Za-z0-9_]+)*/g;
/** Forms that mean a skill whether there is one or not. */
const MEANS_A_SKILL = /Skill\(|SUB-SKILL|SKILL\.md|`[\w-]+-[\w-]+`\*{0,2} (?:sub-?)?skill\b/;
const SKILL_AFTER = /^[`*"'’”」』\])]{0,4}(?:'s|’s)?\s{0,2}(?:(?:sub-?)?skills?\b|スキル|技能)/i;
const MARKED = /`([^`]{1,80})`|\*\*([^*]{1,80})\*\*|\[([^\][]{1,80})\]/g;
/** More containers in one another than any text has; the Markdown parser takes quadratic time for them. */
const TOO_DEEP = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){24}/;

/** More lines without a blank one than any paragraph or table has. */
const MAX_LINES = 600;

/** Lines without a blank one between them, or a fenced block: `lines.slice(start, end)`. */
interface Block {
  readonly start: number;
  end: number;
  isNamed: boolean;
  stays: boolean;
}

/**
 * The text with every block emptied that names no skill and leads to none that does; lines keep their numbers. Parsing
 * is by far the most expensive part, and nine tenths of all text are not needed. `null` where nothing is.
 */
export function relevantText(body: string, index: SkillIndex, own: ReadonlySet<string>): string | null {
  const lines = body.split(/\r\n|\n|\r/);
  const names = (line: string): boolean => namesSkill(line, index, own);
  // Fences in fences are what authors mean, and not what Markdown says; unless that would swallow the rest.
  const blocks = blocksOf(lines, names, true) ?? blocksOf(lines, names, false) ?? [];
  if (!blocks.some(({ isNamed }) => isNamed)) return null;
  const kept = new Set(blocks.filter(({ stays }) => stays));
  let top = 0;
  let lead = 0;
  let reached = -1;
  for (const [i, block] of blocks.entries()) {
    const line = lines[block.start]!;
    // Where the list or quotation begins that an indented block is part of, and what stands before the first item.
    if (!/^[ \t]/.test(line)) top = i;
    if (top === i && !isItem(line)) lead = i;
    if (!block.isNamed) continue;
    for (let at = i; at >= top && at > reached; at--) kept.add(blocks[at]!);
    for (const at of [top - 1, lead, lead - 1]) if (at >= 0) kept.add(blocks[at]!);
    reached = i;
  }
  for (const block of blocks) if (!kept.has(block)) lines.fill("", block.start, block.end);
  return lines.join("\n");
}

function isItem(line: string): boolean {
  return /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line);
}

function blocksOf(lines: string[], names: (line: string) => boolean, nested: boolean): Block[] | null {
  const blocks: Block[] = [];
  let block: Block | null = null;
  let fence = "";
  let inner = 0;
  let mayNest = false;
  const code: number[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const ticks = FENCE.exec(line)?.[1];
    if (fence !== "") {
      block!.end = i + 1;
      const isBare = ticks !== undefined && /^[`~\s]*$/.test(line.slice(line.indexOf(ticks)));
      if (mayNest && ticks && !isBare) inner++;
      if (isBare && inner > 0) inner--;
      else if (isBare && ticks.startsWith(fence)) {
        fence = "";
        continue;
      }
      if (line !== "") code.push(i);
      continue;
    }
    if (line.trim() === "") {
      block = null;
      continue;
    }
    const isHeading = STAYS.test(line);
    if (!block || isHeading) {
      block = { start: i, end: i, isNamed: false, stays: isHeading };
      blocks.push(block);
    }
    block.end = i + 1;
    if (ticks) {
      fence = ticks;
      mayNest =
        nested && /^(?:markdown|md|text|mdx)?\s*$/i.test(line.slice(line.indexOf(ticks) + ticks.length));
    } else if (TOO_DEEP.test(line)) lines[i] = "x";
    else {
      const isNamed = names(line);
      block.isNamed ||= isNamed;
      // The parser takes quadratic time for the lines of a paragraph: a line is left out where it costs least.
      if (i - block.start > (isNamed ? MAX_LINES : MAX_LINES / 2)) {
        lines[i] = "";
        block = null;
        continue;
      }
    }
    if (isHeading) block = line.includes("<") ? block : null;
  }
  if (nested && inner > 0) return null;
  // What a block of code says is not read; that it is there may matter.
  for (const i of code) lines[i] = `${/^[\s>]*/.exec(lines[i]!)?.[0]}x`;
  return blocks;
}

/** What may stand before a hyphenated name that is meant as one, and before a single word. */
const BEFORE =
  /[`*[/:$("'“「『|→>]\s?$|^\s*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?$|(?:\b(?:see|via|from|by|with|to|skills?:?)|[、用と和或])\s{0,2}$|[^\x00-\x7f]\s?$/i;
const BEFORE_ONE_WORD = /(?:^|[\s(（"'`“「『：,、→>[=|])\/$|(?:\.\.|skills)\/$|[\w-]:$|\$$|\[\[$/;

function namesSkill(line: string, index: SkillIndex, own: ReadonlySet<string>): boolean {
  if (MEANS_A_SKILL.test(line)) return true;
  WORD.lastIndex = 0;
  for (let match = WORD.exec(line); match; match = WORD.exec(line)) {
    const word = match[0].toLowerCase();
    if (!index.byName.has(word) || own.has(word)) continue;
    const before = line.slice(Math.max(0, match.index - 70), match.index);
    if (word.includes("-")) {
      if (BEFORE.test(before) || DIRECTIVE_END.test(before)) return true;
    } else if (BEFORE_ONE_WORD.test(before) && line[WORD.lastIndex] !== "/") return true;
    if (SKILL_AFTER.test(line.slice(WORD.lastIndex, WORD.lastIndex + 20))) return true;
  }
  if (index.otherNames.size === 0) return false;
  for (const [, code, bold, link] of line.matchAll(MARKED))
    if (index.otherNames.has(nameKey(code ?? bold ?? link ?? ""))) return true;
  return false;
}

/** The names by which a text speaks of its own skill. */
export function ownNames(name: string, folder: string): ReadonlySet<string> {
  return new Set([nameKey(name), nameKey(folder)]);
}
