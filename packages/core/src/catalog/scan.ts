import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { basename, sep } from "node:path";
import type { Fault } from "../diagnostics.ts";
import { systemCode } from "../errors.ts";
import { DIALECTS } from "../skill/dialects.ts";
import { type Place, parseSkill, type Reading } from "../skill/parse.ts";
import { type Identity, identityOf, isSettled, sameIdentity } from "./identity.ts";
import { readSkillFile } from "./skill-file.ts";
import { type Folder, type SkillFile, skillId, type Tree } from "./tree.ts";

/** Never skills, wherever they are. */
const SKIPPED = new Set(["node_modules", ".git"]);
/** Inside a skill these hold its resources, so a `SKILL.md` there is an example and not a skill. */
const RESOURCES = new Set(["assets", "references", "scripts"]);

export function isSkipped(name: string): boolean {
  return SKIPPED.has(name);
}

export function isResource(name: string): boolean {
  return RESOURCES.has(name);
}

export interface ScanOptions {
  /** Canonical path of the folder at the top. */
  readonly top: string;
  /** How to read a skill at the top; its `folder` is the name under which the top is known, which a link may change. */
  readonly place: Place;
  /** Whether direct children of the top with neither name nor description are read as `lily`. */
  readonly bareChildren: boolean;
  /** Whether the top itself may be a skill: not for a root of whose children alone are. */
  readonly topMayBeSkill: boolean;
  /** Folders that are roots of their own, and belong to them. */
  readonly otherRoots: ReadonlySet<string>;
  /** An earlier look at the same tree, from memory or from disk. */
  readonly known: Tree | null;
  readonly now: number;
  /** Called now and then with the number of folders so far. */
  readonly onProgress?: ((folders: number) => void) | undefined;
}

export interface Scan {
  readonly tree: Tree;
  /** Whether anything had to be read again; an unchanged tree need not be saved. */
  readonly changed: boolean;
}

/** Long work lets others run: a server that refreshes its catalog keeps answering. */
const SLICE_MS = 25;

/** A folder that waits to be looked at. */
interface Visit {
  readonly path: string;
  readonly parent: number;
  readonly depth: number;
  readonly insideSkill: boolean;
  readonly known: KnownFolder | null;
}

interface KnownFolder {
  readonly folder: Folder;
  readonly children: KnownFolder[];
}

/**
 * Walks a tree. A folder whose time stamps are those of the last look is not listed again, and a `SKILL.md` likewise
 * is not read again; everything else is. So the second look costs two `stat` calls a skill.
 */
export async function scanTree(options: ScanOptions): Promise<Scan> {
  const { top, place, known, now, onProgress } = options;
  const looksIn = DIALECTS[place.dialect].looksIn;
  const folders: Folder[] = [];
  let changed = known === null;
  let sliceEnd = performance.now() + SLICE_MS;
  const waiting: Visit[] = [{ path: top, parent: -1, depth: 0, insideSkill: false, known: known && linkFolders(known) }];

  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    if ((folders.length & 63) === 0 && performance.now() > sliceEnd) {
      onProgress?.(folders.length);
      await new Promise(setImmediate);
      sliceEnd = performance.now() + SLICE_MS;
    }
    const { path, depth, insideSkill } = visit;
    const stats = statFolder(path);
    if (stats === null) {
      // Gone since its parent was listed.
      changed = true;
      continue;
    }
    const index = folders.length;
    if ("fault" in stats) {
      folders.push(brokenFolder(visit, stats));
      changed = true;
      continue;
    }

    const mayBeSkill = depth > 0 || options.topMayBeSkill;
    const isLeaf = mayBeSkill && looksIn === "children";
    const old = visit.known?.folder;
    const unchanged = old !== undefined && sameIdentity(old.identity, stats) && isSettled(old.identity, known?.seenAt ?? 0);
    let folder: Folder;
    let children: Visit[];
    if (unchanged) {
      const skill = old.skill && refreshSkill(old.skill, skillPlace(path, options, depth), known?.seenAt ?? 0);
      if (skill === old.skill && old.parent === visit.parent) folder = old;
      else folder = { ...old, parent: visit.parent, skill };
      if (skill !== old.skill) changed = true;
      const inside = insideSkill || skill !== null || old.links.includes("SKILL.md");
      children = (visit.known?.children ?? []).map((child) => ({
        path: child.folder.path,
        parent: index,
        depth: depth + 1,
        insideSkill: inside,
        known: child,
      }));
    } else {
      changed = true;
      const listing = listFolder(path);
      if ("fault" in listing) {
        folders.push(brokenFolder(visit, listing));
        continue;
      }
      const { subfolders, links, otherCase, skillEntry } = listing;
      const faults: Fault[] = [];
      const skill = mayBeSkill && skillEntry ? readSkillAt(`${path}${sep}SKILL.md`, skillPlace(path, options, depth)) : null;
      const linked = links.includes("SKILL.md");
      if (isLeaf && !skillEntry && !linked && !basename(path).startsWith(".")) {
        faults.push({ fault: "SKILL_MISSING", message: "The folder has no SKILL.md, so it is no skill." });
      } else if (otherCase && mayBeSkill && !insideSkill && !skillEntry && !linked) {
        faults.push({ fault: "FILE_NAME", message: `${otherCase} is not read; if it is a skill, rename it to SKILL.md.` });
      }
      folder = { path, parent: visit.parent, identity: identityOf(stats), links, faults, skill };
      const inside = insideSkill || skill !== null || linked;
      const byName = visit.known && new Map(visit.known.children.map((child) => [basename(child.folder.path), child]));
      children = subfolders
        .filter((name) => !isSkipped(name) && !(inside && isResource(name)))
        .map((name) => ({
          path: path === sep ? `${sep}${name}` : `${path}${sep}${name}`,
          parent: index,
          depth: depth + 1,
          insideSkill: inside,
          known: byName?.get(name) ?? null,
        }));
    }
    folders.push(folder);
    if (isLeaf) continue;
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (child && !options.otherRoots.has(child.path)) waiting.push(child);
    }
  }
  if (known && known.folders.length !== folders.length) changed = true;
  return { tree: { seenAt: changed ? now : (known?.seenAt ?? now), folders }, changed };
}

/** A known file as it is now: the same object where nothing changed. */
function refreshSkill(old: SkillFile, place: Place, seenAt: number): SkillFile {
  const stats = statSync(old.path, { throwIfNoEntry: false });
  if (stats && sameIdentity(old.identity, stats) && isSettled(old.identity, seenAt)) return old;
  return readSkillAt(old.path, place);
}

function skillPlace(folder: string, options: ScanOptions, depth: number): Place {
  if (depth === 0) return options.place;
  return { folder: basename(folder), dialect: options.place.dialect, bareIsLily: options.bareChildren && depth === 1 };
}

const GONE: Identity = { dev: 0, ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 };

/** Reads one `SKILL.md`; what cannot be read is a reading with a fault. */
export function readSkillAt(path: string, place: Place): SkillFile {
  const content = readSkillFile(path);
  if ("fault" in content) {
    const { fault, message, stats } = content;
    const reading = brokenReading(place, { fault, message });
    return { id: skillId(path), path, identity: stats ? identityOf(stats) : GONE, reading };
  }
  let reading = parseSkill(content.bytes, place);
  if (content.stats.nlink > 1) {
    // Package managers link files of a shared store on purpose, so this informs and refuses nothing.
    const message = `The file has ${content.stats.nlink} names (hard links); a change under another name changes this skill.`;
    reading = { ...reading, faults: [...reading.faults, { fault: "HARDLINK", message }] };
  }
  return { id: skillId(path), path, identity: identityOf(content.stats), reading };
}

function brokenReading(place: Place, fault: Fault): Reading {
  return { dialect: place.dialect, name: place.folder, description: "", facts: null, faults: [fault] };
}

function brokenFolder(visit: Visit, fault: Fault): Folder {
  return { path: visit.path, parent: visit.parent, identity: GONE, links: [], faults: [fault], skill: null };
}

function statFolder(path: string): Stats | Fault | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isDirectory() ? stats : null;
  } catch (error) {
    return folderFault(systemCode(error));
  }
}

interface Listing {
  readonly subfolders: string[];
  readonly links: string[];
  /** Whether there is a `SKILL.md` that is no link: a file, or something else that cannot be one. */
  readonly skillEntry: boolean;
  /** A file that differs from `SKILL.md` in case alone, or nothing. */
  readonly otherCase: string;
}

function listFolder(path: string): Listing | Fault {
  let entries: Dirent[];
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    return folderFault(systemCode(error));
  }
  const subfolders: string[] = [];
  const links: string[] = [];
  let skillEntry = false;
  let otherCase = "";
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isSymbolicLink()) links.push(name);
    else if (name === "SKILL.md") skillEntry = true;
    else if (entry.isDirectory()) subfolders.push(name);
    else if (name.length === 8 && name.toUpperCase() === "SKILL.MD" && entry.isFile()) otherCase = name;
  }
  // The operating system's order is no order.
  if (subfolders.length > 1) subfolders.sort();
  if (links.length > 1) links.sort();
  return { subfolders, links, skillEntry, otherCase };
}

function folderFault(code: string): Fault {
  const why: Record<string, string> = {
    ENAMETOOLONG: "its path is longer than the operating system allows",
    EACCES: "you may not read it",
    EPERM: "you may not read it",
  };
  return { fault: "UNREADABLE", message: `The folder was not searched: ${why[code] ?? code}.` };
}

/** Known folders with their children at hand. */
function linkFolders(tree: Tree): KnownFolder | null {
  const nodes: KnownFolder[] = tree.folders.map((folder) => ({ folder, children: [] }));
  for (const node of nodes) nodes[node.folder.parent]?.children.push(node);
  return nodes[0] ?? null;
}
