import { closingRuns } from "../skill/markdown.ts";

/** A range of a flat text that was marked up in the Markdown. */
export interface Mark {
  readonly kind: "code" | "strong" | "link";
  readonly start: number;
  readonly end: number;
  readonly url?: string;
}

export interface FlatText {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** Where each source line begins in the text. */
  readonly lineStarts: readonly number[];
}

// All bounded, so that a row of brackets takes linear time.
const LINK = /\[((?:[^[\]\\\n]|\\.){0,300})\]\(\s?<?([^()<>\s]{0,500})>?(?:\s[^()\n]{0,200})?\)/y;
const BACKTICKS = /`+/y;
const PLAIN = /[^\n\\`<_*[]+/y;

/** Linear time, unlike the standard's emphasis on hostile text. Only code, bold and links matter here. */
export function flatten(raw: string): FlatText {
  const marks: Mark[] = [];
  const lineStarts = [0];
  const closing = closingRuns(raw);
  const lastComment = raw.lastIndexOf("-->");
  let text = "";
  let strongStart = -1;
  let at = 0;
  const addLines = (lines: readonly string[]): void => {
    for (const [index, line] of lines.entries()) {
      if (index > 0) text += " ";
      if (index > 0) lineStarts.push(text.length);
      text += line;
    }
  };
  while (at < raw.length) {
    const char = raw[at] as string;
    if (char === "\n") {
      addLines(["", ""]);
      at++;
    } else if (char === "\\" && /[!-/:-@[-`{-~]/.test(raw[at + 1] ?? "")) {
      text += raw[at + 1];
      at += 2;
    } else if (char === "`") {
      const close = closing.get(at);
      BACKTICKS.lastIndex = at;
      const { length } = BACKTICKS.exec(raw)?.[0] ?? char;
      const start = text.length;
      if (close !== undefined) addLines(raw.slice(at + length, close).split("\n"));
      if (text.length > start) marks.push({ kind: "code", start, end: text.length });
      at = (close ?? at) + length;
    } else if (char === "<" && raw.startsWith("<!--", at) && lastComment > at) {
      // Skip comments, but count their lines.
      const end = raw.indexOf("-->", at) + 3;
      addLines(raw.slice(at, end).split("\n").fill(""));
      at = end;
    } else if (char === "_" && isEmphasis(raw, at)) {
      at++;
    } else if (char === "*") {
      let length = 1;
      while (raw[at + length] === "*") length++;
      at += length;
      if (length > 1) {
        if (strongStart >= 0 && text.length > strongStart)
          marks.push({ kind: "strong", start: strongStart, end: text.length });
        strongStart = strongStart >= 0 ? -1 : text.length;
      } else if (isLoose(raw, at - 1)) text += "*";
    } else if (char === "[" && matchLink(raw, at)) {
      const [whole, label = "", url = ""] = matchLink(raw, at) as RegExpExecArray;
      const inner = flatten(label);
      const start = text.length;
      text += inner.text;
      marks.push({ kind: "link", start, end: text.length, url });
      for (const mark of inner.marks)
        marks.push({ ...mark, start: mark.start + start, end: mark.end + start });
      at += whole.length;
    } else {
      PLAIN.lastIndex = at + 1;
      const plain = char + (PLAIN.exec(raw)?.[0] ?? "");
      text += plain;
      at += plain.length;
    }
  }
  return { text, marks, lineStarts };
}

function matchLink(raw: string, at: number): RegExpExecArray | null {
  LINK.lastIndex = at;
  return LINK.exec(raw);
}

/** An underscore at the edge of a word; inside a word it is part of a name. */
function isEmphasis(raw: string, at: number): boolean {
  const before = /[\w-]/.test(raw[at - 1] ?? " ");
  const after = /[\w-]/.test(raw[at + 1] ?? " ");
  return before !== after || raw[at + 1] === "_" || raw[at - 1] === "_";
}

/** An asterisk between spaces, as in a formula. */
function isLoose(raw: string, at: number): boolean {
  return /\s|^$/.test(raw[at - 1] ?? "") && /\s|^$/.test(raw[at + 1] ?? "");
}
