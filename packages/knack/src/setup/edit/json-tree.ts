import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Entry, Syntax } from "../../mcp/client-config/client.ts";
import { lineOf } from "./json-layout.ts";
import { EditFault, type Member } from "./member.ts";

/** The tree, or `undefined` for a text without a value. */
export function readTree(text: string, syntax: Syntax): Node | undefined {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, {
    disallowComments: syntax === "json",
    allowTrailingComma: syntax === "jsonc",
    allowEmptyContent: true,
  });
  const [error] = errors;
  if (error) throw new EditFault(reasonOf(printParseErrorCode(error.error)), lineOf(text, error.offset));
  if (tree && tree.type !== "object")
    throw new EditFault("expected an object, { … }", lineOf(text, tree.offset));
  return tree;
}

const REASONS: Readonly<Record<string, string>> = {
  InvalidCommentToken: "a comment, which this client does not accept",
  PropertyNameExpected: "expected a key in double quotes (a comma too many?)",
  ValueExpected: "expected a value",
  ColonExpected: 'expected ":"',
  CommaExpected: 'expected ","',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: "text after the end of the object",
  InvalidSymbol: "a word that is not JSON",
};

const reasonOf = (code: string): string =>
  REASONS[code] ?? code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();

/** As plain objects: the parsers make them without a prototype, which then count as different. */
export function documentOf(tree: Node | undefined): Entry {
  return tree ? (structuredClone(getNodeValue(tree)) as Entry) : {};
}

/** The value of a key. Of a key that is there twice a client reads the last. */
export function childOf(node: Node | undefined, key: string): Node | undefined {
  const property = node?.children?.findLast((one) => one.children?.[0]?.value === key);
  return node?.type === "object" ? property?.children?.[1] : undefined;
}

export function findMember(tree: Node | undefined, { path, key, isInList }: Member): Node | undefined {
  const holder = path.reduce(childOf, tree);
  if (!isInList) return childOf(holder, key);
  return holder?.type === "array"
    ? holder.children?.find((one) => childOf(one, "id")?.value === key)
    : undefined;
}

/** Where the comma behind a member is, and where its line ends, with what stands behind it there. */
export function afterMember(
  text: string,
  end: number,
): { readonly comma?: number; readonly lineEnd: number } {
  const token = /\r?\n|[ \t\r]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,/y;
  let comma: number | undefined;
  let lineEnd: number | undefined;
  let place = end;
  for (;;) {
    token.lastIndex = place;
    const [found] = token.exec(text) ?? [];
    // The second comma is not this member's.
    if (found === undefined || (found === "," && comma !== undefined)) break;
    if (found === ",") [comma, lineEnd] = [place, undefined];
    else if (found.endsWith("\n")) lineEnd ??= place;
    place += found.length;
  }
  // Without the spaces before whatever ends it.
  lineEnd ??= end + text.slice(end, place).trimEnd().length;
  return comma === undefined ? { lineEnd } : { comma, lineEnd };
}

export function splice(text: string, from: number, to: number, added: string): string {
  return text.slice(0, from) + added + text.slice(to);
}
