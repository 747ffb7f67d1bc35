import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  type FormattingOptions,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { ServerEntry, Syntax } from "./client-file.ts";
import { type EditFault, type Editor, type Member, placesOf } from "./plan-change.ts";

/** The line end that most lines have. */
export function lineEndOf(text: string): string {
  const all = text.split("\n").length - 1;
  const windows = text.split("\r\n").length - 1;
  return windows * 2 > all ? "\r\n" : "\n";
}

function lineStart(text: string, place: number): number {
  return text.lastIndexOf("\n", place - 1) + 1;
}

/** Whether nothing but spaces comes before this place on its line. */
function beginsLine(text: string, place: number): boolean {
  const start = lineStart(text, place);
  return start > 0 && /^[ \t]*$/.test(text.slice(start, place));
}

function lineOf(text: string, place: number): number {
  return text.slice(0, place).split("\n").length;
}

/** The tree, or `undefined` for a text without a value. */
function readTree(text: string, syntax: Syntax, fault: EditFault): Node | undefined {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, {
    disallowComments: syntax === "json",
    allowTrailingComma: syntax === "jsonc",
    allowEmptyContent: true,
  });
  const [error] = errors;
  if (error) throw fault(reasonOf(printParseErrorCode(error.error)), lineOf(text, error.offset));
  if (tree && tree.type !== "object") throw fault("expected an object, { … }", lineOf(text, tree.offset));
  return tree;
}

/** Where the parser's own names, such as "comma expected", say too little. */
const REASONS: Readonly<Record<string, string>> = {
  InvalidCommentToken: "a comment, which this client does not accept",
  PropertyNameExpected: "expected a key in double quotes (a comma too many?)",
  EndOfFileExpected: "text after the end of the object",
};

const reasonOf = (code: string): string =>
  REASONS[code] ?? code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();

/** As plain objects: the parsers make them without a prototype, which then count as different. */
function documentOf(tree: Node | undefined): ServerEntry {
  return tree ? (structuredClone(getNodeValue(tree)) as ServerEntry) : {};
}

/** The value of a key. Of a key that is there twice a client reads the last. */
function childOf(node: Node | undefined, key: string): Node | undefined {
  const property = node?.children?.findLast((one) => one.children?.[0]?.value === key);
  return node?.type === "object" ? property?.children?.[1] : undefined;
}

function nodeAt(tree: Node | undefined, place: readonly (string | number)[]): Node | undefined {
  return place.reduce<Node | undefined>(
    (node, step) => (typeof step === "string" ? childOf(node, step) : node?.children?.[step]),
    tree,
  );
}

function nodesOf(tree: Node | undefined, member: Member): Node[] {
  return placesOf(documentOf(tree), member).flatMap((place) => nodeAt(tree, place) ?? []);
}

/** Where the comma behind a member is; comments may come before it. */
function commaAfter(text: string, { offset, length }: Node): number | undefined {
  const space = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  space.lastIndex = offset + length;
  space.exec(text);
  return text[space.lastIndex] === "," ? space.lastIndex : undefined;
}

/** Takes a member out of a text, and what held it where nothing else is in there. */
function dropOne(
  text: string,
  read: (text: string) => Node | undefined,
  member: Member,
  keeps: (path: readonly string[]) => boolean,
): string {
  let now = text;
  for (let last = nodesOf(read(now), member).at(-1); last; last = nodesOf(read(now), member).at(-1))
    now = cutOut(now, last);
  if (now === text) return text;
  for (let { path } = member; path.length > 0 && !keeps(path); path = path.slice(0, -1)) {
    const holder = path.reduce(childOf, read(now));
    if (!holder || (holder.children?.length ?? 0) > 0) break;
    // Comments in it stay, and it with them.
    if (now.slice(holder.offset + 1, holder.offset + holder.length - 1).trim() !== "") break;
    now = cutOut(now, holder);
  }
  return now;
}

/** Cuts out a member and a comma, and its line where nothing else is on it. Comments stay. */
function cutOut(text: string, value: Node): string {
  const node = value.parent?.type === "property" ? value.parent : value;
  const siblings = node.parent?.children ?? [];
  const before = siblings[siblings.indexOf(node) - 1];
  // The last of an object may have no comma behind it; then the one before loses its own.
  const comma = commaAfter(text, node) ?? (before && commaAfter(text, before));
  const cuts = [{ offset: node.offset, length: node.length, content: "" }];
  if (comma !== undefined) cuts.push({ offset: comma, length: 1, content: "" });
  let now = applyEdits(text, cuts);
  const from = comma !== undefined && comma < node.offset ? node.offset - 1 : node.offset;
  const line = lineStart(now, from);
  const blank = /^[ \t]*\r?\n/.exec(now.slice(line))?.[0].length;
  if (blank !== undefined && line > 0) now = now.slice(0, line) + now.slice(line + blank);
  else if (!beginsLine(now, from)) now = now.slice(0, from).trimEnd() + now.slice(from);
  if (siblings.length > 1 || !node.parent) return now;
  // An object that has become empty is written as `{}`.
  const inside = node.parent.offset + 1;
  return now.slice(0, inside) + now.slice(inside).replace(/^\s*(?=[}\]])/, "");
}

/** Edits JSON by its tree: only the places of the change are touched, so comments, order and layout stay. */
export function jsonEditor(syntax: Syntax, fault: EditFault): Editor {
  const read = (text: string): Node | undefined => readTree(text, syntax, fault);
  const put = (text: string, member: Member, preamble: ServerEntry = {}): string => {
    const tree = read(text);
    if (!tree) {
      const before = text === "" || text.endsWith("\n") ? text : text + lineEndOf(text);
      return put(`${before}${JSON.stringify(preamble, null, 2)}${lineEndOf(text)}`, member);
    }
    const [known, ...others] = nodesOf(tree, member);
    if (known && others.length === 0 && isDeepStrictEqual(documentOf(known), member.value)) return text;
    const holder = requireHolder(text, tree, member, fault);
    const place = member.isOurs && known ? (holder?.children ?? []).indexOf(known) : -1;
    // Ours among others, or more than once: all of them go first.
    if (known && (others.length > 0 || (member.isOurs && place === -1)))
      return put(
        dropOne(text, read, member, () => true),
        member,
      );
    // What stands on one line with its neighbour stays on it: a layout would change the whole line.
    const neighbour = known ?? neighbourOf(tree, member);
    const node = neighbour?.parent?.type === "property" ? neighbour.parent : neighbour;
    const isOnLine = node !== undefined && !beginsLine(text, node.offset);
    const way = [...member.path, member.isOurs ? place : member.key];
    const options = isOnLine ? {} : { formattingOptions: layoutOf(text) };
    return applyEdits(text, modify(text, way, member.value, options));
  };
  return {
    fault,
    parse: (text) => documentOf(read(text)),
    put: (text, members, preamble) => members.reduce((now, member) => put(now, member, preamble), text),
    drop: (text, members, keeps) => members.reduce((now, member) => dropOne(now, read, member, keeps), text),
  };
}

/** The object or list that a member goes to, if it is there; `modify` would not name one of another kind. */
function requireHolder(
  text: string,
  tree: Node,
  { path, isOurs }: Member,
  fault: EditFault,
): Node | undefined {
  let holder: Node | undefined = tree;
  for (let depth = 0; holder; depth++) {
    const wanted = isOurs && depth === path.length ? "array" : "object";
    const kind = wanted === "array" ? "a list" : "an object";
    if (holder.type !== wanted)
      throw fault(`"${path.slice(0, depth).join(".")}" is not ${kind}`, lineOf(text, holder.offset));
    const key = path[depth];
    if (key === undefined) return holder;
    holder = childOf(holder, key);
  }
  return undefined;
}

/** What comes before a new member, or before the first object or list that it needs. */
function neighbourOf(tree: Node, { path }: Member): Node | undefined {
  let holder = tree;
  for (const key of path) holder = childOf(holder, key) ?? holder;
  return holder.children?.at(-1);
}

function layoutOf(text: string): FormattingOptions {
  const unit = /^[{[][^\n]*\n([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return { insertSpaces: !unit.startsWith("\t"), tabSize: unit.length, eol: lineEndOf(text) };
}
