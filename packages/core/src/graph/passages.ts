import type { MarkdownBlock, MarkdownList } from "../skill/markdown.ts";
import { type FlatText, flatten, type Mark } from "./flat-text.ts";
import { lexicon, type Why } from "./lexicon/lexicon.ts";

/** A unit of text: a paragraph, the first paragraph of a list item, a table row, a heading. */
export interface Passage extends FlatText {
  readonly kind: "text" | "item" | "row" | "heading";
  readonly line: number;
  /** Innermost first. */
  readonly headings: readonly string[];
  /** Lead-ins ("You MUST use:"), innermost first. */
  readonly leadIns: readonly string[];
  /** Its index in a numbered list. */
  readonly step: number | null;
  /** The first row of the table, for a row. */
  readonly header: string;
  /** The rule by which it is in an example or a template. */
  readonly example: Why;
}

/** Why a passage is only an example; worked out where it names a skill. */
export function exampleOf({ example, headings, leadIns }: Passage): Why {
  return example ?? underExamples([...headings, ...leadIns]);
}

interface Place {
  readonly leadIns: readonly string[];
  readonly example: Why;
}

export function passagesOf(root: readonly MarkdownBlock[]): Passage[] {
  const found: Passage[] = [];
  /** The headings above, innermost first, and their depths. */
  let headings: readonly string[] = [];
  let depths: readonly number[] = [];
  /** Open tags such as `<Good>`. */
  const open: string[] = [];

  const add = (
    raw: string,
    line: number,
    place: Place,
    kind: Passage["kind"],
    step: number | null = null,
  ): void => {
    const { leadIns } = place;
    const example = place.example ?? (open.length > 0 ? IN_TAG : null);
    for (const part of partsOf(raw, kind)) {
      const { text, marks, lineStarts } = flatten(part.raw);
      const own = { kind: part.kind, header: part.header, line: line + part.line };
      found.push({ text, marks, lineStarts, ...own, headings, leadIns, step, example });
    }
  };

  const blocks = (children: readonly MarkdownBlock[], place: Place): void => {
    let lead: string | null = null;
    for (const block of children) {
      const { line } = block;
      const here = lead === null ? place : { ...place, leadIns: [lead, ...place.leadIns] };
      if (block.type === "heading") {
        const closed = depths.filter((depth) => depth >= block.depth).length;
        headings = headings.slice(closed);
        add(block.text, line, place, "heading");
        headings = [flatten(block.text).text, ...headings];
        depths = [block.depth, ...depths.slice(closed)];
        lead = null;
      } else if (block.type === "paragraph") {
        add(block.text, line, here, "text");
        lead = leadOf(block.text) ?? (block.text.startsWith("|") ? lead : null);
      } else if (block.type === "list") {
        items(block, here);
        lead = null;
      } else if (block.type === "blockquote") {
        // A quotation may be a text to be written elsewhere.
        const quoted = lexicon.saysOf("template-lead", here.leadIns) ?? underExamples(here.leadIns);
        blocks(block.children, { ...here, example: here.example ?? quoted });
        lead = null;
      } else if (block.type === "html") {
        for (const { raw, line: offset } of visibleHtml(block.text, open))
          add(raw, line + offset, here, "text");
      } else if (block.type === "code") lead = null;
    }
  };

  const items = (list: MarkdownList, place: Place): void => {
    list.items.forEach((item, index) => {
      const [first, ...rest] = item;
      if (!first) return;
      if (first.type !== "paragraph") {
        blocks(item, place);
        return;
      }
      add(first.text, first.line, place, "item", list.start === null ? null : list.start - 1 + index);
      blocks(rest, { ...place, leadIns: [flatten(first.text).text.slice(0, MAX_LEAD), ...place.leadIns] });
    });
  };

  blocks(root, { leadIns: [], example: null });
  return found;
}

const IN_TAG: Why = ["example-tag"];
const MAX_LEAD = 400;
const MAX_PASSAGE = 8000;
const LONG_LINE = /[^\n]{8000}/g;
const ROW = /^[ \t]*\|/m;

/** The last sentence of a paragraph if it introduces what follows: it ends with a colon, or is all bold. */
function leadOf(raw: string): string | null {
  const { text, marks } = flatten(raw.slice(-2 * MAX_LEAD));
  const trimmed = text.trimEnd();
  const isBold = marks.some(
    ({ kind, start, end }) => kind === "strong" && start === 0 && end >= trimmed.length,
  );
  if (!isBold && !/[:：]$/.test(trimmed)) return null;
  const from = Math.max(trimmed.lastIndexOf(". "), trimmed.lastIndexOf("。"), trimmed.lastIndexOf("! "));
  return trimmed
    .slice(from + 1)
    .trim()
    .slice(-MAX_LEAD);
}

interface Part {
  readonly raw: string;
  readonly line: number;
  readonly kind: Passage["kind"];
  readonly header: string;
}

/** A table is a series of lines that begin with a bar; each line is a passage. */
function partsOf(whole: string, kind: Passage["kind"]): Part[] {
  // Relating marks to references is not linear, so split text that is longer than any paragraph.
  const raw = whole.length <= MAX_PASSAGE ? whole : whole.replaceAll(LONG_LINE, "$&\n");
  if (raw.length <= MAX_PASSAGE && !ROW.test(raw)) return [{ raw, line: 0, kind, header: "" }];
  const parts: Part[] = [];
  let length = 0;
  let prose: string[] = [];
  let header = "";
  const lines = raw.split("\n");
  const flush = (end: number): void => {
    if (prose.length > 0) parts.push({ raw: prose.join("\n"), line: end - prose.length, kind, header: "" });
    prose = [];
    length = 0;
  };
  lines.forEach((line, index) => {
    if (!ROW.test(line)) {
      header = "";
      if (length + line.length > MAX_PASSAGE) flush(index);
      prose.push(line);
      length += line.length + 1;
      return;
    }
    flush(index);
    header ||= line;
    parts.push({ raw: line, line: index, kind: "row", header });
  });
  flush(lines.length);
  return parts;
}

const TAG = /<(\/?)([A-Za-z][\w-]{0,60})(?:\s[^<>]{0,300})?(\/?)>/g;

/** The paragraphs of an HTML block: `<IMPORTANT>` only frames. `open` keeps example tags, which outlast a blank line. */
function visibleHtml(html: string, open: string[]): { raw: string; line: number }[] {
  // The comment may stay open to the end of the block.
  const said = html.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replaceAll(/[^\n]/g, ""));
  const shown: { raw: string; line: number }[] = [];
  let at = 0;
  let line = 0;
  const addUntil = (end: number): void => {
    const raw = said.slice(at, end);
    const blank = /^\s*/.exec(raw)?.[0] ?? "";
    if (raw.trim() !== "" && open.length === 0)
      shown.push({ raw: raw.trim(), line: line + blank.split("\n").length - 1 });
    line += raw.split("\n").length - 1;
  };
  for (const match of said.matchAll(TAG)) {
    const [tag, closing, name = "", selfClosing] = match;
    addUntil(match.index);
    at = match.index + tag.length;
    line += tag.split("\n").length - 1;
    if (selfClosing || !lexicon.says("example-tag", name)) continue;
    const key = name.toLowerCase();
    if (!closing) open.push(key);
    else if (open.includes(key)) open.splice(open.lastIndexOf(key), 1);
  }
  addUntil(said.length);
  return shown;
}

const LONGEST_LIST_TITLE = 400;
const LONGEST_EXAMPLE_TITLE = 120;

/** "Examples": text below it is not a statement of the skill. */
function underExamples(titles: readonly string[]): Why {
  const short = titles.filter(({ length }) => length < LONGEST_EXAMPLE_TITLE);
  return lexicon.saysOf("example-title", short);
}

/** "Required skills", "You MUST use these skills:": skills listed below it are required. */
export function listsRequired(title: string): Why {
  if (title.length >= LONGEST_LIST_TITLE || lexicon.says("not-required-title", title)) return null;
  return lexicon.says("lists-required", title);
}

export interface Sentence {
  readonly start: number;
  readonly end: number;
}

const END = /[.!?](?=["'”’)\]]{0,3}\s)|[。！？]/g;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|vs|etc|cf|approx|no|fig|dr|mr|ms)$/i;

/** The sentences of a passage. A table row is one sentence, because its cells refer to each other. */
export function sentencesOf({ text, marks }: FlatText, isRow: boolean): Sentence[] {
  const found: Sentence[] = [];
  let start = 0;
  let next = 0;
  const code = marks.filter(({ kind }) => kind === "code").sort((a, b) => a.start - b.start);
  if (!isRow) {
    for (const { index, 0: end } of text.matchAll(END)) {
      while (next < code.length && (code[next] as Mark).end <= index) next++;
      const inside = code[next];
      if (inside && inside.start <= index) continue;
      if (end === "." && ABBREVIATION.test(text.slice(Math.max(0, index - 8), index))) continue;
      found.push({ start, end: index + 1 });
      start = index + 1;
    }
  }
  if (text.slice(start).trim() !== "") found.push({ start, end: text.length });
  return found;
}
