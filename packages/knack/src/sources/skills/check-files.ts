import { lockPathFault, quote } from "@knack/core/internal";
import { bytesText, LIMITS } from "../limits.ts";
import type { Entry } from "../source-tree.ts";
import { collisionKey, pathFault } from "./check-path.ts";
import type { FoundSkill } from "./find-skills.ts";
import { resolveLinks } from "./resolve-links.ts";

const MAX_LINKS = 500;
const MAX_FAULTS = 50;

/** The files of a skill as they are taken, or why they are not. */
export interface CheckedFiles {
  readonly files: ReadonlyMap<string, Entry>;
  readonly bytes: number;
  /** Empty where the skill can be taken. */
  readonly faults: readonly string[];
  /** What does not come along. */
  readonly notes: readonly string[];
}

/** Names that lead out or that are one on other systems, links, devices, sizes: before a byte is written. */
export function checkFiles(skill: FoundSkill, targets: ReadonlyMap<Entry, string>): CheckedFiles {
  const links = [...skill.files.values()].filter(({ kind }) => kind === "link").length;
  // Comparing them all with each other would take hours.
  if (skill.files.size > LIMITS.files || links > MAX_LINKS) {
    const fault =
      links > MAX_LINKS ? `it has more than ${MAX_LINKS} links` : `it has more than ${LIMITS.files} files`;
    return { files: new Map(), bytes: 0, faults: [fault], notes: [] };
  }
  const faults = skill.twice.map((path) => `${quote(path)} is in it twice`);
  // What skills.lock cannot say would make the whole lock unreadable.
  const place = skill.path === "" ? undefined : lockPathFault(skill.path);
  if (place !== undefined) faults.push(`its folder ${quote(skill.path)} ${place}`);
  const notes: string[] = [];
  const all = new Map<string, Entry>();
  for (const [path, entry] of skill.files) {
    const fault = pathFault(path) ?? lockPathFault(path);
    if (fault !== undefined) faults.push(`${quote(entry.path)} ${fault}`);
    else if (entry.what === "a git submodule")
      notes.push(`${quote(entry.path)} is a git submodule and does not come along.`);
    else if (entry.kind === "other") faults.push(`${quote(entry.path)} is ${entry.what}`);
    else all.set(path, entry);
  }
  const { files, faults: broken } = resolveLinks(all, targets);
  faults.push(...broken, ...collisions(files.keys()));
  let bytes = 0;
  for (const [, entry] of files) {
    bytes += entry.size;
    if (entry.size > LIMITS.fileBytes)
      faults.push(
        `${quote(entry.path)} has ${bytesText(entry.size)}, more than the limit of ${bytesText(LIMITS.fileBytes)}`,
      );
  }
  if (files.size > LIMITS.files) faults.push(`it has more than ${LIMITS.files} files`);
  if (bytes > LIMITS.totalBytes && faults.length === 0)
    faults.push(`it has ${bytesText(bytes)}, more than the limit of ${bytesText(LIMITS.totalBytes)}`);
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
