import type { Lexicon, Why } from "../lexicon/lexicon.ts";
import { type FlatText, flatten } from "./flat-text.ts";
import { visibleHtml } from "./html-text.ts";
import type { MarkdownBlock, MarkdownList } from "./markdown-blocks.ts";
import { titleOfExamples } from "./titles.ts";

/** A unit of text: a paragraph, the first paragraph of a list item, a table row, a heading. */
export interface Passage extends FlatText {
  readonly kind: "text" | "item" | "row" | "heading";
  /** The line of its first character. */
  readonly line: number;
  /** Innermost first. */
  readonly headings: readonly string[];
  /** Lead-ins ("You MUST use:"), innermost first. */
  readonly leadIns: readonly string[];
  /** Its index in a numbered list. */
  readonly step: number | null;
  /** The first row of the table, for a row. */
  readonly header: string;
  /** The rule by which it is an example or template, so it says nothing about this skill. */
  readonly example: Why;
}

interface Place {
  readonly leadIns: readonly string[];
  readonly example: Why;
}

/** All passages of a parsed text in order, without code. */
export function passagesOf(root: readonly MarkdownBlock[], lexicon: Lexicon): Passage[] {
  const found: Passage[] = [];
  /** The headings above, by depth. */
  const headings: { depth: number; text: string }[] = [];
  /** Open tags such as `<Good>`. */
  const open: string[] = [];

  /** A cache, because many passages have the same headings. */
  const known = new Map<string, Why>();
  const underExamples = (titles: readonly string[]): Why => {
    for (const title of titles) {
      let why = known.get(title);
      if (why === undefined) {
        why = titleOfExamples(title, lexicon);
        known.set(title, why);
      }
      if (why) return why;
    }
    return null;
  };
  /** A quotation to be written elsewhere. */
  const quotedTemplate = (leadIns: readonly string[]): Why => {
    for (const lead of leadIns) {
      const why = lexicon.says("template-lead", lead) ?? titleOfExamples(lead, lexicon);
      if (why) return why;
    }
    return null;
  };

  const add = (
    raw: string,
    line: number,
    place: Place,
    kind: Passage["kind"],
    step: number | null = null,
  ): void => {
    const above = headings.map(({ text }) => text).reverse();
    const { leadIns } = place;
    const example =
      place.example ?? (open.length > 0 ? IN_TAG : null) ?? underExamples([...above, ...leadIns]);
    for (const part of partsOf(raw, kind)) {
      found.push({
        ...flatten(part.raw),
        kind: part.kind,
        header: part.header,
        line: line + part.line,
        headings: above,
        leadIns,
        step,
        example,
      });
    }
  };

  const blocks = (children: readonly MarkdownBlock[], place: Place): void => {
    let lead: string | null = null;
    for (const block of children) {
      const { line } = block;
      const here = lead === null ? place : { ...place, leadIns: [lead, ...place.leadIns] };
      if (block.type === "heading") {
        while ((headings.at(-1)?.depth ?? 0) >= block.depth) headings.pop();
        add(block.text, line, place, "heading");
        headings.push({ depth: block.depth, text: flatten(block.text).text });
        lead = null;
      } else if (block.type === "paragraph") {
        add(block.text, line, here, "text");
        lead = leadOf(block.text) ?? (block.text.startsWith("|") ? lead : null);
      } else if (block.type === "list") {
        items(block, here);
        lead = null;
      } else if (block.type === "blockquote") {
        blocks(block.children, { ...here, example: here.example ?? quotedTemplate(here.leadIns) });
        lead = null;
      } else if (block.type === "html") {
        for (const { raw, line: offset } of visibleHtml(block.text, open, lexicon))
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
