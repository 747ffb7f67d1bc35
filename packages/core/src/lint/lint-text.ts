import { decodeUri } from "../shared/quote.ts";
import { MarkdownLines } from "../skill/markdown.ts";
import { bothStances, PLAIN, type Stance, stanceOf } from "./stance.ts";

/** One unit that a rule reads: a sentence, a command with its continuation lines, or a comment that a reader does not see. */
export interface LintPassage {
  readonly kind: "prose" | "code" | "comment";
  readonly text: string;
  readonly line: number;
  /** Of the words before it: heading, introducing line, comment above. */
  readonly around: Stance;
}

/** Commands that belong together: a fenced block, or a whole script. */
export interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  readonly around: Stance;
}

export interface LintText {
  readonly file: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly isMarkdown: boolean;
  readonly passages: readonly LintPassage[];
  readonly blocks: readonly Block[];
}

const HEADING = /^ {0,3}#{1,6}\s+(.*)$/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
const ROW = /^\s*\|/;
const FENCE_OPEN = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})\s*\{?\.?([\w+#-]*)/;
const INDENTED = /^(?: {4}|\t)\s*\S/;
/** How much of a paragraph's end can introduce what follows. */
const MAX_INTRO = 300;

/** Markdown → sentences, commands and comments, each with what the words before it say. */
export class MarkdownReader {
  readonly #lines: readonly string[];
  readonly #isCode: readonly boolean[];
  readonly #passages: LintPassage[] = [];
  readonly #blocks: Block[] = [];
  #heading: Stance = PLAIN;
  /** Of the last paragraph, which introduces what follows. */
  #intro: Stance = PLAIN;
  #paragraph: { parts: string[]; line: number } | undefined;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    const fences = new MarkdownLines();
    this.#isCode = lines.map((line) => fences.isCode(line));
  }

  read(): Pick<LintText, "passages" | "blocks"> {
    let isBlankBefore = true;
    for (let at = 0; at < this.#lines.length; at++) {
      const line = this.#line(at);
      if (this.#isCode[at]) at = this.#readFence(at);
      else if (line.includes("<!--")) at = this.#readComment(at);
      else if (isBlankBefore && isIndented(line)) at = this.#readIndented(at);
      else this.#readLine(line, at);
      isBlankBefore = this.#line(at).trim() === "";
    }
    this.#endParagraph();
    return { passages: this.#passages, blocks: this.#blocks };
  }

  #line(at: number): string {
    return this.#lines[at] ?? "";
  }

  #around(): Stance {
    return bothStances(this.#heading, this.#intro);
  }

  #readLine(line: string, at: number): void {
    const heading = HEADING.exec(line)?.[1];
    const isRow = ROW.test(line);
    if (line.trim() === "" || heading !== undefined || isRow || ITEM.test(line)) this.#endParagraph();
    if (line.trim() === "") return;
    // A rule, or the end of the frontmatter: what is above it introduces nothing below.
    if (/^-{3,}\s*$/.test(line)) {
      this.#endParagraph();
      this.#intro = PLAIN;
    } else if (heading !== undefined) {
      this.#heading = stanceOf(heading.slice(0, MAX_INTRO));
      this.#intro = PLAIN;
      this.#addSentences(heading, at + 1, PLAIN);
    } else if (isRow) this.#addSentences(line, at + 1, this.#around());
    else if (this.#paragraph) this.#paragraph.parts.push(line.trim());
    else this.#paragraph = { parts: [line.trim()], line: at + 1 };
  }

  #endParagraph(): void {
    const paragraph = this.#paragraph;
    this.#paragraph = undefined;
    if (!paragraph) return;
    const text = paragraph.parts.join("\n");
    const isItem = ITEM.test(text);
    this.#addSentences(text, paragraph.line, isItem ? this.#around() : this.#heading);
    // An item introduces the code below it, not the next item.
    const end = text.slice(-MAX_INTRO);
    if (!isItem) this.#intro = stanceOf(end);
    else if (/[:：]\s*$/.test(end)) this.#intro = bothStances(this.#intro, stanceOf(end));
  }

  #addSentences(text: string, firstLine: number, around: Stance, kind: LintPassage["kind"] = "prose"): void {
    let line = firstLine;
    let counted = 0;
    for (const sentence of splitSentences(text)) {
      for (
        let at = text.indexOf("\n", counted);
        at !== -1 && at < sentence.offset;
        at = text.indexOf("\n", at + 1)
      )
        line++;
      counted = Math.max(counted, sentence.offset);
      this.#passages.push({ kind, text: sentence.text.replaceAll("\n", " "), line, around });
    }
  }

  #readFence(at: number): number {
    this.#endParagraph();
    const [, mark = "```", language = ""] = FENCE_OPEN.exec(this.#line(at)) ?? [];
    let end = at + 1;
    while (this.#isCode[end] && !closes(this.#line(end), mark)) end++;
    this.#addCode(this.#lines.slice(at + 1, end), at + 2, language.toLowerCase());
    return this.#isCode[end] ? end : end - 1;
  }

  #readIndented(at: number): number {
    this.#endParagraph();
    let end = at + 1;
    while (end < this.#lines.length && !this.#isCode[end] && isIndented(this.#line(end))) end++;
    this.#addCode(this.#lines.slice(at, end), at + 1, "");
    return end - 1;
  }

  #addCode(lines: readonly string[], line: number, language: string): void {
    const around = this.#around();
    this.#blocks.push({ language, text: lines.join("\n"), line, around });
    for (const passage of codePassages(lines, line, around)) this.#passages.push(passage);
  }

  /** A comment is not shown where Markdown is rendered, and a model reads it. */
  #readComment(at: number): number {
    const start = this.#line(at).indexOf("<!--");
    this.#readLine(this.#line(at).slice(0, start), at);
    this.#endParagraph();
    const inside: string[] = [];
    let end = at;
    let rest = this.#line(at).slice(start + 4);
    while (!rest.includes("-->") && end + 1 < this.#lines.length) {
      inside.push(rest);
      rest = this.#line(++end);
    }
    const close = rest.indexOf("-->");
    inside.push(close === -1 ? rest : rest.slice(0, close));
    this.#addSentences(inside.join("\n"), at + 1, PLAIN, "comment");
    const after = close === -1 ? "" : rest.slice(close + 3);
    if (after.trim() !== "") this.#readLine(after, end);
    return end;
  }
}

function isIndented(line: string): boolean {
  return INDENTED.test(line) && !ITEM.test(line);
}

function closes(line: string, mark: string): boolean {
  const text = line.replace(/^[\s>]*/, "").trimEnd();
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
}

const COMMENT = /^\s*(?:#(?!!)|\/\/|--|;|rem\b)\s*(.*)$/i;

/** Lines of code → commands: a line with its continuation lines. A comment above, or behind, says what it is. */
export function codePassages(lines: readonly string[], firstLine: number, around: Stance): LintPassage[] {
  const passages: LintPassage[] = [];
  let above = around;
  for (let at = 0; at < lines.length; at++) {
    const first = at;
    let text = lines[at] ?? "";
    while (text.endsWith("\\") && at + 1 < lines.length && text.length < 2_000)
      text = `${text.slice(0, -1)} ${(lines[++at] ?? "").trim()}`;
    const comment = COMMENT.exec(text.slice(0, 500))?.[1];
    if (comment !== undefined)
      above = comment.trim() === "" ? around : bothStances(around, stanceOf(comment));
    else if (text.trim() === "") above = around;
    const line = firstLine + first;
    for (const piece of pieces(text, 0, text.length))
      passages.push({ kind: "code", text: piece.text, line, around: above });
  }
  return passages;
}

/** A stop that ends a sentence: one of Chinese or Japanese anywhere, one of English before white space. */
const STOP = /[。！？]|[.!?](?=["”')\]]?\s)/g;

/** More than any sentence has; a longer one is cut, so that no pattern reads far. */
const MAX_SENTENCE = 2_000;
/** What two pieces share, so that words on both sides of a cut are still read together. */
const SHARED = 200;

/** A closing quotation mark stays with its sentence. */
function* splitSentences(text: string): Generator<{ text: string; offset: number }> {
  let start = 0;
  for (const { index } of text.matchAll(STOP)) {
    // A quotation that goes on is one unit with what introduces it.
    if (/^[。！？][」』”]/.test(text.slice(index, index + 2))) continue;
    yield* pieces(text, start, index + 1);
    start = index + 1;
  }
  yield* pieces(text, start, text.length);
}

/** The parts of a long line, each short enough for every pattern. */
function* pieces(text: string, from: number, to: number): Generator<{ text: string; offset: number }> {
  for (let start = from; start < to; start += MAX_SENTENCE) {
    const piece = text.slice(start, Math.min(to, start + MAX_SENTENCE + SHARED));
    if (piece.trim() !== "") yield { text: piece, offset: start };
  }
}

/** Of `SKILL.md`, from 1. */
export function lineOfKey([skill]: readonly LintText[], key: RegExp): number | undefined {
  const at = skill?.lines.findIndex((line) => key.test(line)) ?? -1;
  return at === -1 ? undefined : at + 1;
}

const LINK = /\]\(\s*<?([^)\s>]{1,500})>?(?:\s+"[^"\n]{0,200}")?\s*\)/g;
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|#|\/\/|\$|\{|<)/i;

/** Local targets of a Markdown text's links, outside of code, without fragment and query. */
export function* localLinkTargets({ passages }: LintText): Generator<{ target: string; line: number }> {
  for (const { kind, text, line } of passages) {
    if (kind !== "prose" || !text.includes("](")) continue;
    const outside = text.replaceAll(/`[^`\n]{1,400}`/g, (code) => " ".repeat(code.length));
    for (const [, given = ""] of outside.matchAll(LINK)) {
      const target = given.split(/[#?]/, 1)[0] ?? "";
      if (target !== "" && !ELSEWHERE.test(given)) yield { target: decodeUri(target) ?? target, line };
    }
  }
}
