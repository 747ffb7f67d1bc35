/** A quotation, or a list item whose content begins so many columns in. */
type Container = "quote" | number;

interface Fence {
  readonly mark: string;
  readonly depth: number;
}

/** What opens fenced code; backticks with more of them behind are a span. */
export const FENCE_MARK = "`{3,}(?=[^`]*$)|~{3,}";

const FENCE = new RegExp(`^(${FENCE_MARK})`);
const BULLET = /^(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)/;
const THEMATIC_BREAK = /^(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/;
const UNDERLINE = /^(?:=+|-+)[ \t]*$/;
const HEADING = /^#{1,6}(?:[ \t]|$)/;
const SPACE = 0x20;
const TAB = 0x09;
const BACKTICK = 0x60;
const ASTERISK = 0x2a;
const BRACKET = 0x5b;
const PIPE = 0x7c;
const HASH = 0x23;
const ITEM = 2;
const NO_CONTAINERS: Container[] = [];
/** Deeper than any text is; a row of them must not cost quadratic time. */
const MAX_DEPTH = 32;

/**
 * Tells line by line what is fenced code in a Markdown text, by the rules of CommonMark: in lists and quotations too, where code
 * ends with them. One reader a text.
 */
export class FenceReader {
  #containers: Container[] = [];
  #fence: Fence | undefined;
  #inParagraph = false;
  /** The line before was the bare mark of a list item; a blank line ends such an item. */
  #inEmptyItem = false;

  /** Where the first character that is not a blank was in the last line of `isCodeIn`. */
  firstAt = 0;

  /**
   * The same as `isCode` for a line that is `units[from..end]`, if its first characters are enough to know it, as they nearly always
   * are; otherwise `undefined`, and `isCode` must be called.
   */
  isCodeIn(units: Uint16Array, from: number, end: number): boolean | undefined {
    let at = from;
    while (at < end && (units[at] === SPACE || units[at] === TAB)) at++;
    this.firstAt = at;
    const unit = at < end ? (units[at] as number) : 0;
    if (this.#fence && this.#containers.length === 0)
      return unit === this.#fence.mark.charCodeAt(0) ? undefined : true;
    if (unit === 0) return this.#afterBlank();
    if (at > from) return;
    // At the beginning of the line, so outside of every container.
    const isItem = isBullet(unit) && beginsText(units, at + 2, end) && units[at + 1] === SPACE;
    const isHeading = !isItem && unit === HASH && beginsHeading(units, at, end);
    if (!isItem && !isHeading && !beginsText(units, at, end)) return;
    this.#fence = undefined;
    if (!isItem && !isHeading && this.#inParagraph) return false;
    this.#containers = isItem ? [ITEM] : NO_CONTAINERS;
    this.#inEmptyItem = false;
    this.#inParagraph = !isHeading;
    return false;
  }

  /** A blank line is in every list item, but ends an empty one and a quotation. */
  #afterBlank(): boolean | undefined {
    if (this.#inEmptyItem || this.#containers.includes("quote")) return;
    if (this.#fence) return true;
    this.#inParagraph = false;
    return false;
  }

  /** Whether the next line is code, or the fence before or after it. */
  isCode(line: string): boolean {
    const cursor = new Cursor(line);
    let depth = 0;
    while (depth < this.#containers.length && cursor.enter(this.#containers[depth]!)) depth++;
    if (this.#inEmptyItem && depth === this.#containers.length && cursor.rest().trim() === "") depth--;
    if (this.#fence) {
      if (depth >= this.#fence.depth) {
        if (this.#closes(cursor, this.#fence)) this.#fence = undefined;
        return true;
      }
      this.#fence = undefined;
    }
    const containers = this.#containers.slice(0, depth);
    const isInAll = depth === this.#containers.length;
    while (containers.length < MAX_DEPTH) {
      const next = cursor.open(this.#inParagraph && isInAll && containers.length === depth);
      if (next === undefined) break;
      containers.push(next);
    }
    const isBlank = cursor.rest().trim() === "";
    const rest = cursor.indent() <= 3 ? cursor.rest().trimStart() : "";
    const mark = FENCE.exec(rest)?.[1];
    const isUnderline = this.#inParagraph && isInAll && containers.length === depth && UNDERLINE.test(rest);
    const isOther = HEADING.test(rest) || THEMATIC_BREAK.test(rest) || isUnderline;
    const isText = !isBlank && mark === undefined && !isOther;
    // A line that goes on with a paragraph need not repeat what the paragraph is in.
    if (isText && this.#inParagraph && !isInAll && containers.length === depth) return false;
    this.#containers = containers;
    const isNew = containers.length > depth;
    this.#inEmptyItem = isNew && isBlank && containers.at(-1) !== "quote";
    this.#inParagraph = isText && ((this.#inParagraph && isInAll && !isNew) || cursor.indent() <= 3);
    if (mark !== undefined) this.#fence = { mark, depth: this.#containers.length };
    return mark !== undefined;
  }

  #closes(cursor: Cursor, { mark }: Fence): boolean {
    const rest = cursor.rest().trim();
    return cursor.indent() <= 3 && rest.startsWith(mark) && rest === mark.charAt(0).repeat(rest.length);
  }
}

function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}

function isBullet(unit: number): boolean {
  return unit === 0x2d || unit === ASTERISK || unit === 0x2b;
}

/** Whether there is text that can be nothing else: "text", "**text**", "`text`", "[text]", "| text |". */
function beginsText(units: Uint16Array, at: number, end: number): boolean {
  if (at + 2 >= end) return false;
  const first = units[at] as number;
  if (isLetter(first) || first === BRACKET || first === PIPE) return true;
  if (first === BACKTICK) return units[at + 1] !== BACKTICK;
  return first === ASTERISK && units[at + 1] === ASTERISK && isLetter(units[at + 2] as number);
}

/** Whether there are one to six number signs and a blank. */
function beginsHeading(units: Uint16Array, from: number, end: number): boolean {
  let at = from;
  while (at < end && units[at] === HASH) at++;
  return at - from <= 6 && at < end && (units[at] === SPACE || units[at] === TAB);
}

/** A place in a line; columns count as if a tab led to the next multiple of four. */
class Cursor {
  readonly #line: string;
  #at = 0;
  #column = 0;
  /** Columns of a tab that are already passed. */
  #spare = 0;

  constructor(line: string) {
    this.#line = line.endsWith("\r") ? line.slice(0, -1) : line;
  }

  rest(): string {
    return this.#line.slice(this.#at);
  }

  indent(): number {
    let columns = this.#spare;
    for (let at = this.#at; ; at++) {
      if (this.#line[at] === " ") columns++;
      else if (this.#line[at] === "\t") columns += 4 - ((this.#column + columns) % 4);
      else return columns;
    }
  }

  /** Goes into a container that is open, where the line is still in it. */
  enter(container: Container): boolean {
    if (container !== "quote") {
      if (this.indent() >= container) this.#skip(container);
      else if (this.rest().trim() !== "") return false;
      return true;
    }
    if (this.indent() > 3 || !this.rest().trimStart().startsWith(">")) return false;
    this.#skip(this.indent());
    this.#pass(1);
    if (this.indent() > 0) this.#skip(1);
    return true;
  }

  open(inParagraph: boolean): Container | undefined {
    const indent = this.indent();
    const rest = this.rest().trimStart();
    if (indent > 3) return undefined;
    if (rest.startsWith(">")) {
      this.enter("quote");
      return "quote";
    }
    const bullet = BULLET.exec(rest);
    if (!bullet || THEMATIC_BREAK.test(rest)) return undefined;
    const isEmpty = rest.slice(bullet[0].length).trim() === "";
    // In the middle of a paragraph only a list that begins is one.
    if (inParagraph && (isEmpty || Number(bullet[1] ?? 1) !== 1)) return undefined;
    this.#skip(indent);
    this.#pass(bullet[0].length);
    const space = this.indent();
    const padding = isEmpty || space > 4 ? 1 : space;
    if (!isEmpty) this.#skip(padding);
    return indent + bullet[0].length + padding;
  }

  #pass(characters: number): void {
    this.#at += characters;
    this.#column += characters;
  }

  #skip(columns: number): void {
    for (let left = columns; left > 0; ) {
      if (this.#spare > 0) {
        const taken = Math.min(left, this.#spare);
        this.#spare -= taken;
        this.#column += taken;
        left -= taken;
      } else if (this.#line[this.#at] === "\t") {
        this.#spare = 4 - (this.#column % 4);
        this.#at++;
      } else if (this.#line[this.#at] === " ") {
        this.#at++;
        this.#column++;
        left--;
      } else return;
    }
  }
}
