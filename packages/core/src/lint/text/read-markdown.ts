import { FenceReader } from "../../skill/markdown-fences.ts";
import { type Block, type Passage, PLAIN, type Stance } from "./passage.ts";
import { codePassages } from "./read-script.ts";
import { splitSentences } from "./split-sentences.ts";
import { bothStances, stanceOf } from "./stance.ts";

const HEADING = /^ {0,3}#{1,6}\s+(.*)$/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
const ROW = /^\s*\|/;
const FENCE_OPEN = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})\s*\{?\.?([\w+#-]*)/;
const INDENTED = /^(?: {4}|\t)\s*\S/;
/** How much of a paragraph's end can introduce what follows. */
const MAX_INTRO = 300;

interface Reading {
  readonly passages: readonly Passage[];
  readonly blocks: readonly Block[];
}

/** Markdown → sentences, commands and comments, each with what the words before it say. */
export function readMarkdown(lines: readonly string[]): Reading {
  return new MarkdownReader(lines).read();
}

class MarkdownReader {
  readonly #lines: readonly string[];
  readonly #isCode: readonly boolean[];
  readonly #passages: Passage[] = [];
  readonly #blocks: Block[] = [];
  #heading: Stance = PLAIN;
  /** Of the last paragraph: it introduces the list, table or code that follows. */
  #intro: Stance = PLAIN;
  #paragraph: { parts: string[]; line: number } | undefined;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    const fences = new FenceReader();
    this.#isCode = lines.map((line) => fences.isCode(line));
  }

  read(): Reading {
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

  #addSentences(text: string, firstLine: number, around: Stance, kind: Passage["kind"] = "prose"): void {
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
