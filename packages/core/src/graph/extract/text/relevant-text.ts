import type { Lexicon } from "../lexicon/lexicon.ts";
import { nameKey, type SkillIndex } from "../skill-index.ts";
import { namesSkill } from "./names-skill.ts";
import { type Block, blocksOf } from "./text-blocks.ts";

/** A line of this length is data, not a sentence. */
const LONGEST_LINE = 16_384;
/** The maximum to parse of one text; far more than any real skill that names others. */
const MAX_LINES = 2_000;
const MAX_CHARACTERS = 262_144;

/** The part of a text to parse. */
export interface RelevantText {
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

/** The names that a text uses for its own skill. */
export function ownNames(name: string, folder: string): ReadonlySet<string> {
  return new Set([nameKey(name), nameKey(folder)]);
}
