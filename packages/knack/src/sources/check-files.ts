import { posix } from "node:path";
import { lockPathFault } from "@knack/core/lock";
import { quote } from "@knack/core/text";
import { bytesText, SOURCE_LIMITS, type SourceEntry } from "./source.ts";

/** Device names that Windows reserves, with or without an ending. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i;
/** What Windows does not allow in a name, and what no name should have. */
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f"*<>?|:\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Why a file of a skill cannot have this path, on one of the systems that a skill may be used on; `undefined` for a good one. */
function pathFault(path: string): string | undefined {
  // First: a path that was cut because of its length ends in the mark that the next line looks for.
  if (path.length > SOURCE_LIMITS.pathLength)
    return `has a path of more than ${SOURCE_LIMITS.pathLength} characters`;
  if (path.includes("\ufffd")) return "has a name that is not valid UTF-8";
  if (path.includes("\\")) return "has a backslash in its name";
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) return "has an absolute path";
  const parts = path.split("/");
  if (parts.length > SOURCE_LIMITS.depth) return `is more than ${SOURCE_LIMITS.depth} folders deep`;
  for (const part of parts) {
    if (part === "" || part === "." || part === "..") return 'has ".." or an empty name in its path';
    if (FORBIDDEN.test(part)) return "has a character in its name that some systems do not allow";
    if (/[. ]$/.test(part) || part.startsWith(" ")) return "has a name that ends with a dot or a space";
    if (DEVICE.test(part)) return "has the name of a Windows device";
    if (Buffer.byteLength(part) > 255) return "has a name of more than 255 bytes";
  }
  return undefined;
}

/** Two paths with one key are one file on some systems: those that ignore case, or the way accents are encoded. */
const collisionKey = (path: string): string => path.normalize("NFC").toUpperCase().toLowerCase();

const MAX_HOPS = 20;

type Files = ReadonlyMap<string, SourceEntry>;

/** A link that stays within the skill becomes a copy of what it leads to. Every other link is a fault that names it. */
function resolveLinks(all: Files) {
  const plain = new Map([...all].filter(([, { kind }]) => kind !== "link"));
  const files = new Map(plain);
  const faults: string[] = [];
  for (const [path, entry] of all) {
    if (entry.kind !== "link") continue;
    const copies = copiesOf(path, entry, all, plain);
    if (typeof copies === "string") faults.push(`${quote(entry.path)} is a link ${copies}`);
    else for (const [copy, original] of copies) files.set(copy, original);
    if (files.size > SOURCE_LIMITS.files) break;
  }
  return { files, faults };
}

function copiesOf(
  path: string,
  link: SourceEntry,
  all: Files,
  plain: Files,
): readonly (readonly [string, SourceEntry])[] | string {
  let [at, entry]: [string, SourceEntry] = [path, link];
  for (let hops = 0; ; hops++) {
    const { target = "" } = entry;
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
  all: Files,
  plain: Files,
): readonly (readonly [string, SourceEntry])[] | string {
  const prefix = folder === "." ? "" : `${folder}/`;
  if (path.startsWith(prefix)) return `to ${quote(target)}, the folder that it is in`;
  const inside = [...plain].filter(([name]) => name.startsWith(prefix));
  if (inside.length === 0) return `to ${quote(target)}, which does not exist`;
  const hasLinks = [...all].some(([name, { kind }]) => kind === "link" && name.startsWith(prefix));
  if (hasLinks) return `to ${quote(target)}, a folder with links in it`;
  return inside.map(([name, entry]) => [`${path}/${name.slice(prefix.length)}`, entry] as const);
}

const MAX_LINKS = 500;
const MAX_FAULTS = 50;

export interface FoundSkillFolder {
  /** From the top of the source; empty for the top itself. */
  readonly path: string;
  readonly head: SourceEntry;
  /** With their paths from the skill's folder. */
  readonly files: Map<string, SourceEntry>;
  readonly twice: string[];
}

export interface CheckedFiles {
  readonly files: Files;
  readonly bytes: number;
  /** Empty where the skill can be taken. */
  readonly faults: readonly string[];
  /** What does not come along. */
  readonly notes: readonly string[];
}

/** Names that lead out or that are one on other systems, links, devices, sizes: before a byte is written. */
export function checkFiles(skill: FoundSkillFolder): CheckedFiles {
  const links = [...skill.files.values()].filter(({ kind }) => kind === "link").length;
  // Comparing them all with each other would take hours.
  const refused = (fault: string): CheckedFiles => ({
    files: new Map(),
    bytes: 0,
    faults: [fault],
    notes: [],
  });
  if (links > MAX_LINKS) return refused(`it has more than ${MAX_LINKS} links`);
  if (skill.files.size > SOURCE_LIMITS.files) return refused(`it has more than ${SOURCE_LIMITS.files} files`);
  const faults = skill.twice.map((path) => `${quote(path)} is in it twice`);
  // What skills.lock cannot say would make the whole lock unreadable.
  const place = skill.path === "" ? undefined : lockPathFault(skill.path);
  if (place !== undefined) faults.push(`its folder ${quote(skill.path)} ${place}`);
  const notes: string[] = [];
  const all = new Map<string, SourceEntry>();
  for (const [path, entry] of skill.files) {
    const fault = pathFault(path) ?? lockPathFault(path);
    if (fault !== undefined) faults.push(`${quote(entry.path)} ${fault}`);
    else if (entry.what === "a git submodule")
      notes.push(`${quote(entry.path)} is a git submodule and does not come along.`);
    else if (entry.kind === "other") faults.push(`${quote(entry.path)} is ${entry.what}`);
    else all.set(path, entry);
  }
  const { files, faults: broken } = resolveLinks(all);
  faults.push(...broken, ...collisions(files.keys()));
  let bytes = 0;
  for (const [, entry] of files) {
    bytes += entry.size;
    if (entry.size > SOURCE_LIMITS.fileBytes)
      faults.push(
        `${quote(entry.path)} has ${bytesText(entry.size)}, more than the limit of ${bytesText(SOURCE_LIMITS.fileBytes)}`,
      );
  }
  if (files.size > SOURCE_LIMITS.files) faults.push(`it has more than ${SOURCE_LIMITS.files} files`);
  if (bytes > SOURCE_LIMITS.totalBytes && faults.length === 0)
    faults.push(`it has ${bytesText(bytes)}, more than the limit of ${bytesText(SOURCE_LIMITS.totalBytes)}`);
  const more = faults.length - MAX_FAULTS;
  if (more > 0) faults.splice(MAX_FAULTS, more, `and ${more} more of its files are refused`);
  return { files, bytes, faults, notes: notes.slice(0, MAX_FAULTS) };
}

/** Paths that are one on systems that ignore case or normalize names, and files that are folders too. */
function collisions(paths: Iterable<string>): string[] {
  const names = new Map<string, { readonly path: string; readonly isFile: boolean }>();
  const faults: string[] = [];
  for (const path of paths) {
    for (let end = path.indexOf("/"); ; end = path.indexOf("/", end + 1)) {
      const part = end < 0 ? path : path.slice(0, end);
      const isFile = end < 0;
      const key = collisionKey(part);
      const before = names.get(key);
      if (before === undefined) names.set(key, { path: part, isFile });
      else if (before.path !== part)
        faults.push(`${quote(before.path)} and ${quote(part)} are the same file on some systems`);
      else if (before.isFile || isFile) faults.push(`${quote(part)} is a file and a folder`);
      if (isFile || faults.length > 20) break;
    }
    if (faults.length > 20) break;
  }
  return faults;
}
