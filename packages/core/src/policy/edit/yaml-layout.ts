import { isMap, isScalar, isSeq, type Pair, type Scalar } from "yaml";
import { type YamlToken, yamlTokens } from "./yaml-tokens.ts";

/** Positions in a YAML text: lines, columns, tokens and the ends of nodes. */
export class YamlLayout {
  readonly text: string;
  readonly tokens: readonly YamlToken[];
  readonly eol: string;

  constructor(text: string) {
    this.text = text;
    this.tokens = yamlTokens(text);
    this.eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  }

  comments(from: number, to: number): string[] {
    return this.tokens
      .filter(({ offset, kind }) => kind === "comment" && offset >= from && offset < to)
      .map(({ text }) => text);
  }

  /** The end of a node's last token; the library's own range includes line ends and comments after it. */
  endOf(node: unknown): number {
    if (isMap(node) || isSeq(node)) {
      const last: unknown = node.flow ? undefined : node.items.at(-1);
      return last === undefined ? (node.range?.[1] ?? 0) : this.endOf(last);
    }
    if (isScalar(node)) return this.#scalarEnd(node);
    const { key, value } = node as Pair;
    return value === null ? this.endOf(key) : Math.max(this.endOf(key), this.endOf(value));
  }

  #scalarEnd({ range }: Scalar): number {
    const [start, end, withComments] = range ?? [0, 0, 0];
    // Comments below a key without a value belong to that key.
    return this.text.slice(0, start === end ? withComments : end).trimEnd().length;
  }

  markBefore(item: unknown, mark: "-" | ","): number {
    const start = startOf(item);
    const before = this.tokens.findLast(
      ({ offset, text, kind }) => offset < start && text === mark && kind === "mark",
    );
    return before?.offset ?? start;
  }

  column(offset: number): number {
    return offset - this.lineStart(offset);
  }

  lineStart(offset: number): number {
    return this.text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** Before the line's end, after its comment. */
  lineEnd(offset: number): number {
    const end = this.text.indexOf("\n", offset);
    if (end === -1) return this.text.length;
    return this.text[end - 1] === "\r" ? end - 1 : end;
  }
}

export function startOf(node: unknown): number {
  return (isMap(node) || isSeq(node) || isScalar(node)) && node.range ? node.range[0] : 0;
}
