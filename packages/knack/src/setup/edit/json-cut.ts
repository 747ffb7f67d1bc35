import type { Node } from "jsonc-parser";
import { beginsLine, lineStart } from "./json-layout.ts";
import { afterMember, childOf, findMember, splice } from "./json-tree.ts";
import type { Member } from "./member.ts";

/** Takes a member out of a text, and what held it where nothing else is in there. */
export function dropOne(
  text: string,
  read: (text: string) => Node | undefined,
  member: Member,
  keeps: (path: readonly string[]) => boolean,
): string {
  const found = findMember(read(text), member);
  if (!found) return text;
  let now = cutOut(text, found);
  for (let { path } = member; path.length > 0 && !keeps(path); path = path.slice(0, -1)) {
    const holder = path.reduce(childOf, read(now));
    if (!holder || (holder.children?.length ?? 0) > 0) break;
    // Comments in it stay, and it with them.
    if (now.slice(holder.offset + 1, holder.offset + holder.length - 1).trim() !== "") break;
    now = cutOut(now, holder);
  }
  return now;
}

/** Cuts out a member, its comma, and its line where it has one for itself. */
function cutOut(text: string, value: Node): string {
  const node = value.parent?.type === "property" ? value.parent : value;
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  const [before, next] = [siblings[at - 1], siblings[at + 1]];
  const end = node.offset + node.length;
  const { comma, lineEnd } = afterMember(text, end);
  const beginsOwnLine = beginsLine(text, node.offset);
  const isAlone = beginsOwnLine && /^\r?\n/.test(text.slice(lineEnd));
  let [from, to] = [node.offset, comma === undefined ? end : comma + 1];
  if (isAlone) [from, to] = [lineStart(text, from), text.indexOf("\n", lineEnd) + 1];
  else if (next) to += /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0;
  else if (!beginsOwnLine) from = text.slice(0, from).trimEnd().length;
  const whole = tidyHolder(splice(text, from, to, ""), siblings.length === 1 ? node.parent : undefined);
  // The last of an object has no comma behind it, so the one before loses its own.
  const left =
    before && !next && comma === undefined
      ? afterMember(text, before.offset + before.length).comma
      : undefined;
  return left === undefined ? whole : splice(whole, left, left + 1, "");
}

/** An object that has become empty is written as `{}`. */
function tidyHolder(text: string, holder: Node | undefined): string {
  if (!holder) return text;
  const rest = text.slice(holder.offset + 1);
  const spaces = /^\s*(?=[}\]])/.exec(rest)?.[0].length ?? 0;
  return splice(text, holder.offset + 1, holder.offset + 1 + spaces, "");
}
