/** A quotation or a list item that a line is in. */
interface Container {
  /** Of an item: in which column its content begins. */
  readonly indent: number;
  /** What tells a list from the next one: its bullet, or what follows its numbers; ">" for a quotation. */
  readonly sign: string;
  /** Of an item in a numbered list. */
  readonly number: number | null;
}

type LineKind = "blank" | "text" | "heading" | "underline" | "break" | "indented" | "code";

/** What opens fenced code; backticks with more of them behind are a span. */
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})(.*)/;
/** The same wherever its author has put it. */
const ANY_FENCE = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}(?=[^`]*$)|~{3,})(.*)/;
/** What can hold fences as text. */
const MARKDOWN = /^(?:markdown|md|text|mdx)?\s*$/i;
const BULLET = /^(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)/;
const THEMATIC_BREAK = /^(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/;
const UNDERLINE = /^(?:=+|-+)[ \t]*$/;
const HEADING = /^(#{1,6})(?:[ \t]|$)/;
const QUOTATION = /^ {0,3}> ?(.*)$/;
/** Deeper than any text is; a row of them must not cost quadratic time. */
const MAX_DEPTH = 32;

/** What each line of a Markdown text is, by CommonMark, also in lists and quotations. One reader a text. */
export class MarkdownLines {
  /** What the last line is in, from the outermost. */
  containers: readonly Container[] = [];
  /** The last line without them. */
  rest = "";
  /** Whether the next line may go on with a paragraph. */
  inParagraph = false;
  /** Fences in the fence that is open. */
  nested = 0;
  readonly #asMeant: boolean;
  readonly #mayNest: boolean;
  #fence: { readonly mark: string; readonly depth: number; readonly mayNest: boolean } | undefined;
  /** The line before was the bare mark of a list item; a blank line ends such an item. */
  #inEmptyItem = false;

  /** `asMeant`: code in a list goes on where it was not indented. `mayNest`: a fence in a fence belongs to it. */
  constructor({ asMeant = false, mayNest = false } = {}) {
    this.#asMeant = asMeant;
    this.#mayNest = mayNest;
  }

  /** Whether the next line is fenced code, or the fence before or after it. */
  isCode(line: string): boolean {
    return this.read(line) === "code";
  }

  /** Reads the next line, without its line end. */
  read(line: string): LineKind {
    if (this.#fence && this.#asMeant) return this.#readMeantCode(line, this.#fence);
    const before = this.containers;
    let depth = 0;
    let rest = withoutTabs(line.endsWith("\r") ? line.slice(0, -1) : line);
    while (depth < before.length) {
      const inside = insideOf(before[depth]!, rest);
      if (inside === undefined) break;
      rest = inside;
      depth++;
    }
    if (this.#inEmptyItem && depth === before.length && rest.trim() === "") depth--;
    if (this.#fence) {
      if (depth >= this.#fence.depth) {
        if (closes(rest, this.#fence.mark)) this.#fence = undefined;
        return "code";
      }
      this.#fence = undefined;
    }
    const containers = before.slice(0, depth);
    const isInAll = depth === before.length;
    while (containers.length < MAX_DEPTH) {
      const opened = openedBy(rest, this.inParagraph && isInAll && containers.length === depth);
      if (opened === undefined) break;
      containers.push(opened.container);
      rest = opened.rest;
    }
    const isNew = containers.length > depth;
    const text = rest.trim();
    const isNear = indentOf(rest) <= 3;
    const fence = (isNear && FENCE.exec(text)) || (this.#asMeant && ANY_FENCE.exec(line));
    const goesOn = this.inParagraph && !isNew;
    const kind = fence ? "code" : kindOf(text, isNear, goesOn, goesOn && isInAll);
    this.rest = rest;
    // A line that goes on with a paragraph need not repeat what the paragraph is in.
    if (kind === "text" && goesOn && !isInAll) return kind;
    this.containers = containers;
    this.#inEmptyItem = isNew && kind === "blank" && containers.at(-1)?.sign !== ">";
    this.inParagraph = kind === "text";
    if (fence) {
      const [, mark = "", info = ""] = fence;
      this.#fence = { mark, depth: containers.length, mayNest: this.#mayNest && MARKDOWN.test(info) };
    }
    return kind;
  }

  #readMeantCode(line: string, { mark, mayNest }: { mark: string; mayNest: boolean }): LineKind {
    const [, found, info = ""] = ANY_FENCE.exec(line) ?? [];
    if (found === undefined) return "code";
    const isBare = /^[`~\s]*$/.test(info);
    if (!isBare && mayNest) this.nested++;
    if (isBare && this.nested > 0) this.nested--;
    else if (isBare && found.startsWith(mark)) this.#fence = undefined;
    return "code";
  }
}

function kindOf(text: string, isNear: boolean, goesOn: boolean, mayBeUnderline: boolean): LineKind {
  if (text === "") return "blank";
  if (!isNear) return goesOn ? "text" : "indented";
  if (HEADING.test(text)) return "heading";
  if (mayBeUnderline && UNDERLINE.test(text)) return "underline";
  return THEMATIC_BREAK.test(text) ? "break" : "text";
}

function closes(rest: string, mark: string): boolean {
  const text = rest.trim();
  return indentOf(rest) <= 3 && text.startsWith(mark) && text === mark.charAt(0).repeat(text.length);
}

/** Each tab before the text leads to the next multiple of four. */
function withoutTabs(line: string): string {
  if (!line.includes("\t")) return line;
  const text = line.search(/[^ \t>*+.)\d-]|$/);
  let lead = "";
  for (const sign of line.slice(0, text)) lead += sign === "\t" ? " ".repeat(4 - (lead.length % 4)) : sign;
  return lead + line.slice(text);
}

function indentOf(rest: string): number {
  return rest.search(/[^ ]|$/);
}

/** What a line has inside a container that is open; `undefined` where it is not in it. */
function insideOf({ indent, sign }: Container, rest: string): string | undefined {
  if (sign === ">") return QUOTATION.exec(rest)?.[1];
  if (indentOf(rest) >= indent) return rest.slice(indent);
  return rest.trim() === "" ? "" : undefined;
}

/** The quotation or item that begins here. */
function openedBy(line: string, inParagraph: boolean): { container: Container; rest: string } | undefined {
  const quoted = QUOTATION.exec(line)?.[1];
  if (quoted !== undefined) return { container: { indent: 0, sign: ">", number: null }, rest: quoted };
  const indent = indentOf(line);
  const text = line.slice(indent);
  const [mark, digits] = (indent <= 3 && BULLET.exec(text)) || [];
  if (mark === undefined || THEMATIC_BREAK.test(text)) return undefined;
  const inside = text.slice(mark.length);
  const isEmpty = inside.trim() === "";
  // In the middle of a paragraph only a list that begins is one.
  if (inParagraph && (isEmpty || Number(digits ?? 1) !== 1)) return undefined;
  const space = indentOf(inside);
  const padding = isEmpty || space > 4 ? 1 : space;
  const number = digits === undefined ? null : Number(digits);
  const container = { indent: indent + mark.length + padding, sign: mark.slice(-1), number };
  return { container, rest: isEmpty ? "" : inside.slice(padding) };
}

/** The text of a block still has its inline markup. */
export type MarkdownBlock =
  | TextBlock
  | { readonly type: "heading"; readonly line: number; readonly text: string; readonly depth: number }
  | { readonly type: "code" | "break"; readonly line: number }
  | { readonly type: "blockquote"; readonly line: number; readonly children: MarkdownBlock[] }
  | MarkdownList;

interface TextBlock {
  readonly type: "paragraph" | "html";
  readonly line: number;
  text: string;
}

export interface MarkdownList {
  readonly type: "list";
  readonly line: number;
  readonly sign: string;
  /** The number of the first item; `null` for an unordered list. */
  readonly start: number | null;
  readonly items: MarkdownBlock[][];
}

/** The blocks of a text, as its author means them. Link definitions are text. */
export function markdownBlocks(lines: readonly string[]): MarkdownBlock[] {
  // Unless a fence in a fence would swallow the rest of the text.
  return blocksOf(lines, true) ?? blocksOf(lines, false) ?? [];
}

/** `undefined` if a fence in a fence is never closed. */
function blocksOf(lines: readonly string[], mayNest: boolean): MarkdownBlock[] | undefined {
  const reader = new MarkdownLines({ asMeant: true, mayNest });
  /** The blocks of the text, then those in each open container. */
  const places: MarkdownBlock[][] = [[]];
  let open: readonly Container[] = [];
  /** What the next line may go on with. */
  let block: TextBlock | undefined;
  let htmlEnd: RegExp | undefined;
  for (const [index, given] of lines.entries()) {
    const kind = reader.read(given);
    const line = index + 1;
    const { containers } = reader;
    const rest = places.length > 1 ? reader.rest : given;
    if (block && htmlEnd && open.every((container, at) => container === containers[at])) {
      block.text += kind === "code" ? "\n" : `\n${rest}`;
      if (kind !== "code" && htmlEnd.test(rest)) block = htmlEnd = undefined;
      reader.inParagraph = false;
      continue;
    }
    if (kind === "blank") {
      block = undefined;
      continue;
    }
    let kept = 0;
    while (kept < open.length && open[kept] === containers[kept]) kept++;
    if (kept < open.length || kept < containers.length) {
      block = htmlEnd = undefined;
      places.length = kept + 1;
      for (const container of containers.slice(kept)) places.push(openIn(places.at(-1)!, container, line));
      open = containers;
    }
    const here = places.at(-1)!;
    const text = reader.rest.trim();
    htmlEnd = kind === "text" ? endOfHtml(text, block !== undefined) : undefined;
    if (htmlEnd || (kind === "text" && !block)) {
      block = { type: htmlEnd ? "html" : "paragraph", line, text };
      here.push(block);
      if (htmlEnd) reader.inParagraph = false;
      if (htmlEnd?.test(text)) block = htmlEnd = undefined;
    } else if (kind === "text" && block) block.text += `\n${text}`;
    else {
      if (kind === "heading") here.push(headingOf(text, line));
      else if (kind === "underline" && block)
        here[here.length - 1] = { ...block, type: "heading", depth: text.startsWith("=") ? 1 : 2 };
      else here.push({ type: kind === "break" ? "break" : "code", line });
      block = undefined;
    }
  }
  return mayNest && reader.nested > 0 ? undefined : places[0];
}

function headingOf(text: string, line: number): MarkdownBlock {
  const depth = HEADING.exec(text)?.[1]?.length ?? 1;
  const title = text.slice(depth).replace(/(?:^|[ \t])#+$/, "");
  return { type: "heading", line, text: title.trim(), depth };
}

/** The blocks of a new quotation or of the next item of a list. */
function openIn(here: MarkdownBlock[], { sign, number }: Container, line: number): MarkdownBlock[] {
  const inside: MarkdownBlock[] = [];
  const last = here.at(-1);
  if (sign === ">") here.push({ type: "blockquote", line, children: inside });
  else if (last?.type === "list" && last.sign === sign) last.items.push(inside);
  else here.push({ type: "list", line, sign, start: number, items: [inside] });
  return inside;
}

/** HTML that ends with a mark of its own; other HTML ends at a blank line. */
const MARKED_HTML: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?:\s|>|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![A-Za-z]/, />/],
];
const BLOCK_TAGS =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";
const BLOCK_TAG = new RegExp(`^</?(?:${BLOCK_TAGS})(?:\\s|/?>|$)`, "i");
const LONE_TAG = /^<(?:[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?\/?|\/[A-Za-z][A-Za-z0-9-]*\s*)>$/;
const BLANK = /^\s*$/;

/** Where the HTML ends that begins with this line; `undefined` if it is none. A lone tag may also be part of a paragraph. */
function endOfHtml(text: string, inParagraph: boolean): RegExp | undefined {
  if (!text.startsWith("<")) return undefined;
  const marked = MARKED_HTML.find(([start]) => start.test(text));
  if (marked) return marked[1];
  return BLOCK_TAG.test(text) || (!inParagraph && LONE_TAG.test(text)) ? BLANK : undefined;
}

/** For each run of backticks, where the next run of the same length begins: what is between them is code. Linear. */
export function closingRuns(text: string): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const next = new Map<number, number>();
  for (const { index, 0: run } of [...text.matchAll(/`+/g)].reverse()) {
    const close = next.get(run.length);
    if (close !== undefined) closing.set(index, close);
    next.set(run.length, index);
  }
  return closing;
}
