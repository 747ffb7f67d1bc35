import { isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { startOf, YamlLayout } from "./yaml-layout.ts";

/** A change of one list, two keys deep in a YAML document. */
export interface ListEdit {
  readonly path: readonly [string, string];
  /** Indexes in the list. */
  readonly remove: readonly number[];
  /** One more item: a text, or a mapping of texts. */
  readonly add?: string | Readonly<Record<string, string>> | undefined;
}

/**
 * Edits lists in YAML text in place: every other byte stays the same, and every comment is kept, even that of a removed
 * item. Printing the parsed document again would lose columns, blank lines and style. The text must be a valid
 * configuration.
 */
export function editLists(text: string, edits: readonly ListEdit[]): string {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  // One after another, because one edit may insert where another removes.
  const result = edits.reduce((before, edit) => {
    const removed = new ListEditor(before).remove(edit);
    return new ListEditor(removed).add(edit);
  }, text.slice(mark.length));
  return mark + result;
}

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Text to insert, in both styles: inside brackets and on its own lines. */
interface Piece {
  readonly flow: string;
  readonly lines: readonly string[];
}

class ListEditor {
  readonly #layout: YamlLayout;
  readonly #root: unknown;

  constructor(text: string) {
    this.#layout = new YamlLayout(text);
    this.#root = parseDocument(text, { logLevel: "silent", prettyErrors: false }).contents;
  }

  remove({ path: [outer, inner], remove }: ListEdit): string {
    const map = isMap(this.#root) ? pairOf(this.#root, outer)?.value : undefined;
    const list = isMap(map) ? pairOf(map, inner)?.value : undefined;
    return this.#splice(isSeq(list) ? this.#removeItems(list, remove) : []);
  }

  add({ path: [outer, inner], add }: ListEdit): string {
    return this.#splice(add === undefined ? [] : [this.#add(this.#root, outer, inner, flowText(add))]);
  }

  #splice(splices: readonly Splice[]): string {
    return splices
      .toSorted((a, b) => b.from - a.from)
      .reduce(
        (text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to),
        this.#layout.text,
      );
  }

  #add(root: unknown, outer: string, inner: string, item: string): Splice {
    const list: Piece = { flow: `[${item}]`, lines: [`- ${item}`] };
    const entry = under(inner, list);
    if (!isMap(root)) return this.#fillDocument(root, under(outer, entry));
    const outerPair = pairOf(root, outer);
    if (!outerPair) return this.#addKey(root, under(outer, entry));
    if (!isMap(outerPair.value))
      return this.#fillKey(root, outerPair, { ...entry, flow: `{ ${entry.flow} }` });
    const innerPair = pairOf(outerPair.value, inner);
    if (!innerPair) return this.#addKey(outerPair.value, entry);
    return isSeq(innerPair.value)
      ? this.#addItem(innerPair.value, item)
      : this.#fillKey(outerPair.value, innerPair, list);
  }

  /** A document without a mapping: empty, only comments, or an explicit null. */
  #fillDocument(root: unknown, { lines }: Piece): Splice {
    const [from, to] =
      isScalar(root) && root.range ? root.range : [this.#layout.text.length, this.#layout.text.length];
    const end = from === to ? this.#layout.text.length : to;
    return this.#onLines(from === to ? end : from, end, lines, 0);
  }

  #addKey(map: YAMLMap, { flow, lines }: Piece): Splice {
    const last = map.items.at(-1);
    if (map.flow) {
      if (last) return insert(this.#layout.endOf(last), `, ${flow}`);
      return insert(startOf(map) + 1, ` ${flow} `);
    }
    const column = this.#layout.column(startOf(map.items[0]?.key));
    const end = last ? this.#layout.lineEnd(this.#layout.endOf(last)) : this.#layout.text.length;
    return this.#onLines(end, end, lines, column);
  }

  /** A key without a value, or with null. */
  #fillKey(map: YAMLMap, pair: Pair, { flow, lines }: Piece): Splice {
    const [from, to] = isScalar(pair.value) && pair.value.range ? pair.value.range : [0, 0];
    if (from < to) return { from, to, text: flow };
    const keyEnd = this.#layout.endOf(pair.key);
    const colon = this.#layout.tokens.find(({ offset, text }) => offset >= keyEnd && text === ":");
    if (!map.flow) {
      const end = this.#layout.lineEnd(colon?.offset ?? keyEnd);
      return this.#onLines(end, end, lines, this.#layout.column(startOf(pair.key)) + 2);
    }
    const hasColon = colon && this.#layout.text.slice(keyEnd, colon.offset).trim() === "";
    return hasColon ? insert(colon.offset + 1, ` ${flow}`) : insert(keyEnd, `: ${flow}`);
  }

  #addItem(list: YAMLSeq, item: string): Splice {
    const last = list.items.at(-1);
    if (!last) return insert(startOf(list) + 1, item);
    const end = this.#layout.endOf(last);
    if (!list.flow) {
      const lineEnd = this.#layout.lineEnd(end);
      return this.#onLines(
        lineEnd,
        lineEnd,
        [`- ${item}`],
        this.#layout.column(this.#layout.markBefore(last, "-")),
      );
    }
    const start = startOf(last);
    const isOnOwnLine = this.#layout.text.slice(this.#layout.lineStart(start), start).trim() === "";
    return insert(
      end,
      isOnOwnLine ? `,${this.#layout.eol}${" ".repeat(this.#layout.column(start))}${item}` : `, ${item}`,
    );
  }

  #removeItems(list: YAMLSeq, places: readonly number[]): Splice[] {
    const removed = new Set(places);
    const firstKept = list.items.findIndex((_, index) => !removed.has(index));
    return places.map((place) => {
      const item = list.items[place];
      if (!list.flow) return this.#removeLines(item);
      const from = startOf(item);
      const to = this.#layout.endOf(item);
      const column = this.#layout.column(from);
      const isAfterKept = firstKept !== -1 && firstKept < place;
      if (isAfterKept) return this.#cut(this.#layout.markBefore(item, ","), to, column);
      const comma = this.#layout.tokens.find(({ offset, kind }) => offset >= to && kind === "mark");
      if (comma?.text !== ",") return this.#cut(from, to, column);
      const next = this.#layout.tokens.find(({ offset }) => offset > comma.offset);
      // A comment needs a space before it.
      const end = next?.kind === "comment" ? comma.offset + 1 : (next?.offset ?? comma.offset + 1);
      return this.#cut(from, end, column);
    });
  }

  #removeLines(item: unknown): Splice {
    const dash = this.#layout.markBefore(item, "-");
    const from = this.#layout.lineStart(dash);
    const end = this.#layout.lineEnd(this.#layout.endOf(item));
    const to = end + (/^\r?\n/.exec(this.#layout.text.slice(end, end + 2))?.[0].length ?? 0);
    const comments = this.#layout
      .comments(from, to)
      .map((comment) => `${" ".repeat(this.#layout.column(dash))}${comment}${this.#layout.eol}`);
    return { from, to, text: comments.join("") };
  }

  /** Removes a part of a list in brackets; its comments stay, each to the end of its line. */
  #cut(from: number, to: number, column: number): Splice {
    const comments = this.#layout
      .comments(from, to)
      .map((comment) => ` ${comment}${this.#layout.eol}${" ".repeat(column)}`);
    return { from, to, text: comments.join("") };
  }

  /** Inserts whole lines; the text before and after keeps its own lines. */
  #onLines(from: number, to: number, lines: readonly string[], column: number): Splice {
    const before = from === 0 || this.#layout.text[from - 1] === "\n" ? "" : this.#layout.eol;
    const after = /^\r?\n/.test(this.#layout.text.slice(to)) ? "" : this.#layout.eol;
    const text = lines.map((line) => " ".repeat(column) + line).join(this.#layout.eol);
    return { from, to, text: before + text + after };
  }
}

function under(key: string, { flow, lines }: Piece): Piece {
  const value = flow.startsWith("[") ? flow : `{ ${flow} }`;
  return { flow: `${key}: ${value}`, lines: [`${key}:`, ...lines.map((line) => `  ${line}`)] };
}

function insert(at: number, text: string): Splice {
  return { from: at, to: at, text };
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

/** As YAML in brackets, which stands for itself wherever it is put. */
function flowText(value: string | Readonly<Record<string, string>>): string {
  if (typeof value === "string") return quoted(value);
  const entries = Object.entries(value).map(([key, entry]) => `${key}: ${quoted(entry)}`);
  return `{ ${entries.join(", ")} }`;
}

/** Words that a reader of YAML may take for something else than text. */
const TAKEN = /^(true|false|null|yes|no|on|off|y|n)$/i;

/** What JSON writes is YAML too. */
function quoted(text: string): string {
  const isPlain = /^(\/[\w./-]+|[a-z][\w-]*)$/i.test(text) && !TAKEN.test(text);
  return isPlain ? text : JSON.stringify(text);
}
