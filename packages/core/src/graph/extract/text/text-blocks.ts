import { FENCE_MARK } from "../../../skill/markdown-fences.ts";

const FENCE = new RegExp(`^[ \\t>]*(?:[-*+][ \\t]+|\\d{1,9}[.)][ \\t]+)?(${FENCE_MARK})`);
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
/** A tag or a comment may continue past its own lines. */
const TAG = /^ {0,3}<|<!--|-->/;
/** More nested containers than any real text has; the Markdown parser takes quadratic time for them. */
const TOO_DEEP = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){24}/;
/** More lines without a blank one than any real paragraph or table has. */
const MAX_LINES = 600;

/** Lines without a blank one in between, a heading, or a fenced block: `lines.slice(start, end)`. */
export interface Block {
  readonly start: number;
  end: number;
  isNamed: boolean;
  readonly isTag: boolean;
  /** Heading depth, otherwise 0. */
  readonly depth: number;
}

/** `null` if a nested fence is not closed. Blanks out code in `lines`. */
export function blocksOf(lines: string[], names: (line: string) => boolean, nested: boolean): Block[] | null {
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
      if (i - block.start > (isNamed ? MAX_LINES : MAX_LINES / 2)) {
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
