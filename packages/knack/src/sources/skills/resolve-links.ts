import { posix } from "node:path";
import { quote } from "@knack/core/internal";
import { LIMITS } from "../limits.ts";
import type { Entry } from "../source-tree.ts";

const MAX_HOPS = 20;

/** The files of a skill with copies in place of its links, and why a link has none. */
export interface Resolved {
  readonly files: ReadonlyMap<string, Entry>;
  readonly faults: readonly string[];
}

/** A link that stays within the skill becomes a copy of what it leads to. Every other link is a fault that names it. */
export function resolveLinks(all: ReadonlyMap<string, Entry>, targets: ReadonlyMap<Entry, string>): Resolved {
  const files = new Map<string, Entry>();
  const faults: string[] = [];
  for (const [path, entry] of all) if (entry.kind !== "link") files.set(path, entry);
  const plain = new Map(files);
  for (const [path, entry] of all) {
    if (entry.kind !== "link") continue;
    const copies = copiesOf(path, entry, all, targets, plain);
    if (typeof copies === "string") faults.push(`${quote(entry.path)} is a link ${copies}`);
    else for (const [copy, original] of copies) files.set(copy, original);
    if (files.size > LIMITS.files) break;
  }
  return { files, faults };
}

function copiesOf(
  path: string,
  link: Entry,
  all: ReadonlyMap<string, Entry>,
  targets: ReadonlyMap<Entry, string>,
  plain: ReadonlyMap<string, Entry>,
): readonly (readonly [string, Entry])[] | string {
  let [at, entry]: [string, Entry] = [path, link];
  for (let hops = 0; ; hops++) {
    const target = targets.get(entry) ?? "";
    if (hops > MAX_HOPS) return "that leads back to itself";
    if (target.startsWith("/") || /^[a-z]:|\\/i.test(target))
      return `to ${quote(target)}, which is outside the skill`;
    const next = posix.normalize(posix.join(posix.dirname(at), target)).replace(/\/$/, "");
    if (next === ".." || next.startsWith("../")) return `to ${quote(target)}, which is outside the skill`;
    const found = all.get(next);
    if (found === undefined) return folderCopies(path, next, target, all, plain);
    if (found.kind !== "link") return [[path, found]];
    [at, entry] = [next, found];
  }
}

/** The files of a folder under another name. Links in it, or a link to a folder above itself, would have no end. */
function folderCopies(
  path: string,
  folder: string,
  target: string,
  all: ReadonlyMap<string, Entry>,
  plain: ReadonlyMap<string, Entry>,
): readonly (readonly [string, Entry])[] | string {
  const prefix = folder === "." ? "" : `${folder}/`;
  if (path.startsWith(prefix)) return `to ${quote(target)}, the folder that it is in`;
  const inside = [...plain].filter(([name]) => name.startsWith(prefix));
  if (inside.length === 0) return `to ${quote(target)}, which does not exist`;
  const hasLinks = [...all].some(([name, { kind }]) => kind === "link" && name.startsWith(prefix));
  if (hasLinks) return `to ${quote(target)}, a folder with links in it`;
  return inside.map(([name, entry]) => [`${path}/${name.slice(prefix.length)}`, entry] as const);
}
