import truncatedWidth from "fast-string-truncated-width";

/** Printable ASCII, which most text is, takes one place a character. */
const ASCII = /^[ -~]*$/;

export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  return truncatedWidth(text, { limit: Number.POSITIVE_INFINITY }).width;
}

/** The text, or its beginning and an ellipsis. */
export function cut(text: string, width: number): string {
  if (text.length <= width && ASCII.test(text)) return text;
  return widthOf(text) <= width ? text : `${text.slice(0, fitting(text, width - 1))}…`;
}

/** The text as lines of at most this width, broken at spaces where there are any. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width || !ASCII.test(rest)) {
    // One character at least, be it too wide, so that there is an end.
    const end = fitting(rest, width) || firstLength(rest);
    if (end >= rest.length) break;
    const space = rest.lastIndexOf(" ", end);
    const isWordEnd = space * 2 > end;
    lines.push(rest.slice(0, isWordEnd ? space : end));
    rest = rest.slice(isWordEnd ? space + 1 : end);
  }
  return [...lines, rest];
}

/** How much of the text, from its beginning, takes at most this width. */
function fitting(text: string, width: number): number {
  const { truncated, index } = truncatedWidth(text, { limit: width });
  // Where alphabets meet it may be a character too much, or end within one.
  let end = truncated ? wholeEnd(text, index) : text.length;
  while (end > 0 && widthOf(text.slice(0, end)) > width) end = wholeEnd(text, end - 1);
  return end;
}

/** More than any character that people see as one takes. */
const LONGEST_CHARACTER = 64;
let segmenter: Intl.Segmenter | undefined;

/** What people see as characters: a mark stays with its letter, a family stays together. */
function characters(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

function wholeEnd(text: string, end: number): number {
  if (end <= 0 || ASCII.test(text.slice(end - 1, end + 1))) return Math.max(0, end);
  const from = Math.max(0, end - LONGEST_CHARACTER);
  const found = characters(text.slice(from, end + LONGEST_CHARACTER)).containing(end - from);
  return found ? from + found.index : end;
}

function firstLength(text: string): number {
  return characters(text.slice(0, LONGEST_CHARACTER)).containing(0)?.segment.length ?? text.length;
}
