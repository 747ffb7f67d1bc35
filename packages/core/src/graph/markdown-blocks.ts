import { parse, preprocess } from "micromark";
import { subtokenize } from "micromark-util-subtokenize";

/** The blocks of a Markdown text, as far as they matter here; the text of a block still has its inline markup. */
export type MarkdownBlock =
  | { readonly type: "heading"; readonly line: number; readonly text: string; readonly depth: number }
  | { readonly type: "paragraph"; readonly line: number; readonly text: string }
  | { readonly type: "html"; readonly line: number; readonly text: string }
  | { readonly type: "code"; readonly line: number }
  | { readonly type: "blockquote"; readonly line: number; readonly children: MarkdownBlock[] }
  | MarkdownList;

export interface MarkdownList {
  readonly type: "list";
  readonly line: number;
  /** The number of the first item; `null` for an unordered list. */
  start: number | null;
  readonly items: MarkdownBlock[][];
}

/** Keep link definitions as text, so that a reference in square brackets is not lost. */
const EXTENSION = { disable: { null: ["definition"] } };

/**
 * The blocks of a text, by a CommonMark parser. Inline content is not parsed: that takes two thirds of the time, and
 * quadratic time for emphasis and links on hostile text (`flat-text.ts` reads them).
 */
export function markdownBlocks(text: string): MarkdownBlock[] {
  const events = parse({ extensions: [EXTENSION] })
    .document()
    .write(preprocess()(text, undefined, true));
  // Once, for the content of containers; a second call would parse inline text.
  subtokenize(events);
  const root: MarkdownBlock[] = [];
  /** The innermost container is last. */
  const places: MarkdownBlock[][] = [root];
  const lists: MarkdownList[] = [];
  let read = "";
  let depth = 0;
  for (const [kind, token, context] of events) {
    const { line } = token.start;
    const here = places.at(-1)!;
    if (kind === "enter") {
      switch (token.type) {
        case "blockQuote": {
          const children: MarkdownBlock[] = [];
          here.push({ type: "blockquote", line, children });
          places.push(children);
          break;
        }
        case "listOrdered":
        case "listUnordered": {
          const list: MarkdownList = { type: "list", line, start: null, items: [] };
          here.push(list);
          lists.push(list);
          // A placeholder until the first item; a list has no block before that.
          places.push([]);
          break;
        }
        case "listItemPrefix": {
          const item: MarkdownBlock[] = [];
          lists.at(-1)!.items.push(item);
          places[places.length - 1] = item;
          break;
        }
        case "listItemValue":
          lists.at(-1)!.start ??= Number(context.sliceSerialize(token));
          break;
        case "codeFenced":
        case "codeIndented":
          here.push({ type: "code", line });
          break;
        case "paragraph":
        case "atxHeading":
        case "setextHeading":
        case "htmlFlow":
          read = "";
          depth = 0;
          break;
        case "atxHeadingSequence":
          depth ||= token.end.offset - token.start.offset;
          break;
        case "setextHeadingLineSequence":
          depth = context.sliceSerialize(token).startsWith("=") ? 1 : 2;
          break;
        case "chunkText":
        case "htmlFlowData":
          read += context.sliceSerialize(token);
          break;
        case "lineEnding":
          read += "\n";
          break;
      }
      continue;
    }
    if (token.type === "blockQuote") places.pop();
    else if (token.type === "listOrdered" || token.type === "listUnordered") {
      places.pop();
      lists.pop();
    } else if (token.type === "paragraph") here.push({ type: "paragraph", line, text: withoutIndent(read) });
    else if (token.type === "atxHeading" || token.type === "setextHeading")
      here.push({ type: "heading", line, text: withoutIndent(read), depth });
    else if (token.type === "htmlFlow") here.push({ type: "html", line, text: read });
  }
  return root;
}

function withoutIndent(text: string): string {
  return text.replaceAll(/[ \t]*\n[ \t]*/g, "\n").trim();
}
