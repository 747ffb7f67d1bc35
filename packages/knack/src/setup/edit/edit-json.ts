import { isDeepStrictEqual } from "node:util";
import type { Node } from "jsonc-parser";
import type { Entry, Syntax } from "../../mcp/client-config/client.ts";
import { dropOne } from "./json-cut.ts";
import { beginsLine, indentAt, type Layout, layoutOf, lineOf, onLines, onOneLine } from "./json-layout.ts";
import { afterMember, childOf, documentOf, findMember, readTree, splice } from "./json-tree.ts";
import { EditFault, type Editor, type Member } from "./member.ts";

/** Edits JSON by its tree: only the places of the change are touched, so comments, order and layout stay. */
export function jsonEditor(syntax: Exclude<Syntax, "toml">): Editor {
  const read = (text: string): Node | undefined => readTree(text, syntax);
  return {
    parse: (text) => documentOf(read(text)),
    put: (text, members, preamble) =>
      members.reduce((now, member) => putOne(now, read(now), member, preamble), text),
    drop: (text, members, keeps) => members.reduce((now, member) => dropOne(now, read, member, keeps), text),
  };
}

function putOne(text: string, tree: Node | undefined, member: Member, preamble?: Entry): string {
  const layout = layoutOf(text);
  const known = findMember(tree, member);
  if (known) {
    if (isDeepStrictEqual(documentOf(known), member.value)) return text;
    const value = beginsLine(text, (known.parent?.type === "property" ? known.parent : known).offset)
      ? onLines(member.value, indentAt(text, known.offset), layout)
      : onOneLine(member.value, layout);
    return splice(text, known.offset, known.offset + known.length, value);
  }
  if (!tree) {
    const before = text === "" || text.endsWith("\n") ? text : text + layout.lineEnd;
    return before + onLines({ ...preamble, ...nested(member, 0) }, "", layout) + layout.lineEnd;
  }
  let holder = tree;
  let depth = 0;
  for (const key of member.path) {
    const next = childOf(holder, key);
    if (!next) break;
    holder = next;
    depth++;
  }
  const isWhole = depth === member.path.length;
  const wanted = isWhole && member.isInList ? "array" : "object";
  if (holder.type !== wanted) {
    const name = member.path.slice(0, depth).join(".");
    throw new EditFault(
      `"${name}" is not ${wanted === "array" ? "a list" : "an object"}`,
      lineOf(text, holder.offset),
    );
  }
  return insert(text, holder, isWhole && member.isInList ? member.value : nested(member, depth), layout);
}

/** The member within the objects that are still missing. */
function nested({ path, key, isInList, value }: Member, depth: number): Entry {
  const missing = path.slice(depth);
  const last = missing.at(-1);
  if (!isInList || last === undefined)
    return missing.reduceRight<Entry>((inner, one) => ({ [one]: inner }), { [key]: value });
  return missing.slice(0, -1).reduceRight<Entry>((inner, one) => ({ [one]: inner }), { [last]: [value] });
}

/** Adds a value to a list, or the one key of an object to an object, behind the last that is there. */
function insert(text: string, holder: Node, value: Entry, layout: Layout): string {
  const isList = holder.type === "array";
  const [[key, inner] = ["", {}]] = Object.entries(value);
  const write = (form: (one: unknown) => string): string =>
    isList ? form(value) : `${JSON.stringify(key)}:${layout.isMinified ? "" : " "}${form(inner)}`;
  const last = holder.children?.at(-1);
  const closing = holder.offset + holder.length - 1;
  if (!last) {
    if (layout.isMinified)
      return splice(
        text,
        closing,
        closing,
        write((one) => onOneLine(one, layout)),
      );
    const outer = indentAt(text, holder.offset);
    const indent = outer + layout.unit;
    const added = write((one) => onLines(one, indent, layout));
    // Behind the comments that are in it.
    const end = text.slice(0, closing).trimEnd().length;
    return splice(text, end, closing, `${layout.lineEnd}${indent}${added}${layout.lineEnd}${outer}`);
  }
  const end = last.offset + last.length;
  const { comma, lineEnd: place } = afterMember(text, end);
  const isOnOneLine = !beginsLine(text, last.offset) && !/^\r?\n/.test(text.slice(place));
  const outer = indentAt(text, last.offset);
  const indent = beginsLine(text, last.offset) ? outer : outer + layout.unit;
  const added = isOnOneLine
    ? `${layout.isMinified ? "" : " "}${write((one) => onOneLine(one, layout))}`
    : `${layout.lineEnd}${indent}${write((one) => onLines(one, indent, layout))}`;
  if (comma !== undefined) return splice(text, place, place, `${added},`);
  return splice(splice(text, place, place, added), end, end, ",");
}
