import { isUtf8 } from "node:buffer";
import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { basename, sep } from "node:path";
import type { Fault } from "../../shared/diagnostics.ts";
import { systemCode } from "../../shared/errors.ts";
import { DIALECTS } from "../../skill/dialects.ts";
import type { FullYaml, Place } from "../../skill/skill-text.ts";
import { deviceOf, inodeOf, isSameFile, isSameFolder, parentOf, type Tree, TreeBuilder } from "../tree.ts";
import { readSkillAt } from "./skill-at.ts";

export interface ScanOptions {
  /** Canonical path of the folder at the top. */
  readonly top: string;
  /** How to read a skill at the top; its `folder` is the name under which the top is known, which a link may change. */
  readonly place: Place;
  /** Whether direct children of the top with neither name nor description are read as `lily`. */
  readonly bareChildren: boolean;
  /** Whether the top itself may be a skill: not so for a root of which only the children are. */
  readonly topMayBeSkill: boolean;
  /** Folders that are roots of their own, and belong to them. */
  readonly otherRoots: ReadonlySet<string>;
}

export interface ScanProgress {
  /** When the scan began. */
  readonly now: number;
  /** Called now and then with the number of folders so far. */
  readonly onProgress?: ((folders: number) => void) | undefined;
  /** Where it is certain that nothing changed but in these folders: then only they are looked at. */
  readonly changed?: ReadonlySet<string> | undefined;
}

/** Long work lets others run: a server that refreshes its catalog keeps answering. */
const SLICE_MS = 25;

/**
 * Looks through a tree, given what is known of it from an earlier look. Where nothing changed that costs one `stat` a
 * folder and one a skill, and the answer is the known tree itself.
 */
export async function scanTree(
  options: ScanOptions,
  known: Tree | null,
  progress: ScanProgress,
): Promise<Tree> {
  const pause = pauser(progress.onProgress);
  const isUnchanged = known ? await unchangedFolders(known, pause, progress.changed) : () => false;
  if (known && isUnchanged === ALL) return known;
  return new Walk(options, known, isUnchanged).run(progress.now, pause);
}

const ALL = (): boolean => true;

/** Which folders are known to be, with their skills, as they were; `ALL` where all are. */
async function unchangedFolders(
  known: Tree,
  pause: (folders: number) => Promise<void>,
  changed: ReadonlySet<string> | undefined,
): Promise<(index: number) => boolean> {
  const { paths } = known;
  if (changed) {
    const hasChanged = (path: string): boolean => changed.has(path);
    if (changed.size === 0 || !paths.some(hasChanged)) return ALL;
    return (index) => !hasChanged(paths[index] ?? "");
  }
  const count = await countUnchanged(known, pause);
  return count === paths.length ? ALL : (index) => index < count;
}

/** How many folders from the start on are, with their skills, as they were. */
async function countUnchanged(known: Tree, pause: (folders: number) => Promise<void>): Promise<number> {
  const { paths, skills } = known;
  for (let i = 0; i < paths.length; i++) {
    if ((i & 255) === 0) await pause(i);
    const folder = tryStat(paths[i] ?? "");
    if (!folder || "fault" in folder || !isSameFolder(known, i, folder)) return i;
    const skill = skills[i];
    if (!skill) continue;
    const file = tryStat(skill.path);
    if (!file || "fault" in file || !isSameFile(known, i, file)) return i;
  }
  return paths.length;
}

/** Lets others run and tells progress whenever a slice of time is used up. */
function pauser(onProgress: ScanProgress["onProgress"]): (folders: number) => Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  let most = 0;
  const go = Promise.resolve();
  return (folders) => {
    if (performance.now() < sliceEnd) return go;
    // A look that turns out to be a new one starts to count again; progress does not go back.
    most = Math.max(most, folders);
    onProgress?.(most);
    return new Promise((resolve) => {
      setImmediate(() => {
        sliceEnd = performance.now() + SLICE_MS;
        resolve();
      });
    });
  };
}

/** A folder that waits to be looked at. */
interface Visit {
  readonly path: string;
  readonly parent: number;
  readonly depth: number;
  readonly insideSkill: boolean;
  /** Its index in the known tree; -1 where it is new, or where a skill above it came or went. */
  readonly known: number;
  /** A folder above it is another than before, so nothing was heard of what is below. */
  readonly isMoved?: boolean;
}

/**
 * A walk of which something is new. A folder whose time stamps are those of the last look is not listed again, and a
 * `SKILL.md` likewise is not read again.
 */
class Walk {
  readonly #options: ScanOptions;
  readonly #onlyChildren: boolean;
  readonly #known: Tree | null;
  /** Of a folder of the known tree: whether it is certain that it and its skill are unchanged. */
  readonly #isUnchanged: (known: number) => boolean;
  readonly #knownChildren: ReadonlyMap<number, number[]>;
  readonly #builder = new TreeBuilder();
  readonly #waiting: Visit[];
  readonly #unread: { readonly visit: Visit; readonly index: number }[] = [];
  /** Devices whose folders have been seen to count their subfolders in their links. */
  readonly #countsSubfolders = new Set<number>();
  #fullYaml: FullYaml | null = null;

  constructor(options: ScanOptions, known: Tree | null, isUnchanged: (known: number) => boolean) {
    this.#options = options;
    this.#onlyChildren = DIALECTS[options.place.dialect].looksIn === "children";
    this.#known = known;
    this.#isUnchanged = isUnchanged;
    this.#knownChildren = known ? childrenOf(known) : new Map();
    this.#waiting = [{ path: options.top, parent: -1, depth: 0, insideSkill: false, known: known ? 0 : -1 }];
  }

  /** Looks at every folder. */
  async run(now: number, pause: (folders: number) => Promise<void>): Promise<Tree> {
    while (this.#step()) {
      if (this.#unread.length > 0) await this.#loadYaml();
      if ((this.#builder.length & 63) === 0) await pause(this.#builder.length);
    }
    return this.#builder.build(now);
  }

  /** Most skills are plain enough to do without the full parser, and a catalog of those never pays for loading it. */
  async #loadYaml(): Promise<void> {
    this.#fullYaml ??= (await import("../../skill/yaml/yaml-profile.ts")).parseYaml;
    for (const { visit, index } of this.#unread.splice(0)) this.#readSkill(visit, index);
  }

  /** Looks at the next folder; false when none waits. */
  #step(): boolean {
    const visit = this.#waiting.pop();
    if (!visit) return false;
    const known = this.#known;
    if (known && visit.known !== -1 && !visit.isMoved && this.#isUnchanged(visit.known)) {
      this.#reuse(visit, known);
      return true;
    }
    const stats = tryStat(visit.path);
    // Gone since its parent was listed, or no folder any more.
    if (!stats || (!("fault" in stats) && !stats.isDirectory())) return true;
    if ("fault" in stats) {
      this.#addBroken(visit, stats);
    } else if (known && visit.known !== -1 && isSameFolder(known, visit.known, stats)) {
      this.#reuse(visit, known);
      this.#refreshSkill(visit, known);
    } else if (!this.#readLeaf(visit, stats)) {
      this.#list(visit, stats);
    }
    return true;
  }

  /**
   * A folder with two links (its name and its own ".") has no subfolders, on a file system that counts them. If it has a
   * `SKILL.md` there is nothing else in it to find, so it need not be listed, which halves the cost of a first look.
   */
  #readLeaf(visit: Visit, stats: Stats): boolean {
    if (stats.nlink !== 2 || !this.#countsSubfolders.has(stats.dev) || !this.#mayBeSkill(visit)) return false;
    const read = readSkillAt(`${visit.path + sep}SKILL.md`, this.#placeOf(visit), this.#fullYaml);
    // No such file, a link, or not yet readable: the listing sorts that out.
    if (!read?.stats?.isFile()) return false;
    this.#builder.setSkill(this.#builder.add(visit.path, visit.parent, stats), read.skill, read.stats);
    return true;
  }

  #mayBeSkill(visit: Visit): boolean {
    return visit.depth > 0 || this.#options.topMayBeSkill;
  }

  #reuse(visit: Visit, known: Tree): void {
    const index = this.#builder.copy(visit.path, visit.parent, known, visit.known);
    const isSkill = this.#wasSkill(visit.known);
    const children = this.#knownChildren.get(visit.known) ?? [];
    this.#await(
      visit,
      index,
      isSkill,
      children.map((child) => ({ path: known.paths[child] ?? "", known: child })),
    );
  }

  #wasSkill(known: number): boolean {
    const tree = this.#known;
    if (!tree || known === -1) return false;
    return tree.skills[known] !== null || (tree.links.get(known)?.includes("SKILL.md") ?? false);
  }

  #refreshSkill(visit: Visit, known: Tree): void {
    const skill = known.skills[visit.known];
    if (!skill) return;
    const stats = tryStat(skill.path);
    if (stats && !("fault" in stats) && isSameFile(known, visit.known, stats)) return;
    this.#readSkill(visit, this.#builder.length - 1);
  }

  #list(visit: Visit, stats: Stats): void {
    const { path, insideSkill } = visit;
    const listing = listFolder(path);
    if ("fault" in listing) {
      this.#addBroken(visit, listing);
      return;
    }
    const { links, hasSkill, otherCase, subfolders, badNames } = listing;
    const index = this.#builder.add(path, visit.parent, stats);
    this.#builder.setLinks(index, links);
    if (badNames > 0) {
      const message = `${badNames} names in this folder are not valid UTF-8 and were skipped; rename them.`;
      this.#builder.addFault(index, { fault: "UNREADABLE", message });
    }
    // Proof is a folder with subfolders: some file systems say 2, or 1, of every folder.
    if (subfolders.length > 0 && stats.nlink === 2 + subfolders.length) this.#countsSubfolders.add(stats.dev);
    const mayBeSkill = this.#mayBeSkill(visit);
    const isSkill = mayBeSkill && (hasSkill || links.includes("SKILL.md"));
    if (mayBeSkill && hasSkill) {
      this.#readSkill(visit, index);
    } else if (mayBeSkill && !isSkill && this.#onlyChildren && !basename(path).startsWith(".")) {
      this.#builder.addFault(index, {
        fault: "SKILL_MISSING",
        message: "The folder has no SKILL.md, so it is not a skill.",
      });
    } else if (mayBeSkill && !isSkill && otherCase && !insideSkill) {
      const message = `${otherCase} is not read; if it is a skill, rename it to SKILL.md.`;
      this.#builder.addFault(index, { fault: "FILE_NAME", message });
    }
    const names = subfolders.filter((name) => mayHoldSkills(name, insideSkill || isSkill));
    if (names.length === 0) return;
    const byPath = new Map(
      (this.#knownChildren.get(visit.known) ?? []).map((child) => [this.#known?.paths[child], child]),
    );
    const prefix = path.endsWith(sep) ? path : path + sep;
    const isMoved = !this.#isSameInode(visit.known, stats);
    this.#await(
      visit,
      index,
      isSkill,
      names.map((name) => ({ path: prefix + name, known: byPath.get(prefix + name) ?? -1 })),
      isMoved,
    );
  }

  #await(
    visit: Visit,
    index: number,
    isSkill: boolean,
    children: readonly { path: string; known: number }[],
    isMoved = false,
  ): void {
    // Where only children of a root are skills, nothing below one of them is.
    if (this.#onlyChildren && this.#mayBeSkill(visit)) return;
    const insideSkill = visit.insideSkill || isSkill;
    // Which subfolders are looked at depends on being inside a skill; where that changed, nothing known holds below.
    const isAsBefore = insideSkill === (visit.insideSkill || this.#wasSkill(visit.known));
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (!child || this.#options.otherRoots.has(child.path)) continue;
      this.#waiting.push({
        path: child.path,
        parent: index,
        depth: visit.depth + 1,
        insideSkill,
        known: isAsBefore ? child.known : -1,
        isMoved,
      });
    }
  }

  #isSameInode(known: number, { dev, ino }: Stats): boolean {
    const tree = this.#known;
    return tree !== null && known !== -1 && deviceOf(tree, known) === dev && inodeOf(tree, known) === ino;
  }

  #readSkill(visit: Visit, index: number): void {
    const read = readSkillAt(`${visit.path + sep}SKILL.md`, this.#placeOf(visit), this.#fullYaml);
    if (read) this.#builder.setSkill(index, read.skill, read.stats);
    else this.#unread.push({ visit, index });
  }

  #placeOf({ path, depth }: Visit): Place {
    const { place, bareChildren } = this.#options;
    if (depth === 0) return place;
    return { folder: basename(path), dialect: place.dialect, bareIsLily: bareChildren && depth === 1 };
  }

  #addBroken(visit: Visit, fault: Fault): void {
    this.#builder.addFault(this.#builder.add(visit.path, visit.parent, null), fault);
  }
}

function childrenOf(tree: Tree): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (let i = 1; i < tree.paths.length; i++) {
    const parent = parentOf(tree, i);
    const siblings = children.get(parent);
    if (siblings) siblings.push(i);
    else children.set(parent, [i]);
  }
  return children;
}

/** Never skills, wherever they are. */
const SKIPPED = new Set(["node_modules", ".git"]);
/** Inside a skill these hold its resources, so a `SKILL.md` there is an example and not a skill. */
const RESOURCES = new Set(["assets", "references", "scripts"]);

export function mayHoldSkills(name: string, insideSkill: boolean): boolean {
  return !SKIPPED.has(name) && !(insideSkill && RESOURCES.has(name));
}

interface Listing {
  readonly subfolders: string[];
  readonly links: string[];
  /** Whether there is a `SKILL.md` that is not a link: a file, or something else that cannot be one. */
  readonly hasSkill: boolean;
  /** A file that differs from `SKILL.md` in case alone, or nothing. */
  readonly otherCase: string;
  /** How many names in it are not valid UTF-8. */
  readonly badNames: number;
}

function listFolder(path: string): Listing | Fault {
  let entries: Dirent[];
  try {
    entries = readdirSync(path, WITH_TYPES);
  } catch (error) {
    return folderFault(systemCode(error));
  }
  let badNames = 0;
  if (entries.some(({ name }) => name.includes("\ufffd"))) {
    const bad = badNamesOf(path);
    entries = entries.filter(({ name }) => {
      const left = bad.get(name) ?? 0;
      if (left > 0) bad.set(name, left - 1);
      if (left > 0) badNames++;
      return left === 0;
    });
  }
  const subfolders: string[] = [];
  const links: string[] = [];
  let hasSkill = false;
  let otherCase = "";
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isSymbolicLink()) links.push(name);
    else if (name === "SKILL.md") hasSkill = true;
    else if (entry.isDirectory()) subfolders.push(name);
    else if (name.length === 8 && name.toUpperCase() === "SKILL.MD" && entry.isFile()) otherCase = name;
  }
  // The operating system returns names in no particular order.
  if (subfolders.length > 1) subfolders.sort();
  if (links.length > 1) links.sort();
  return { subfolders, links, hasSkill, otherCase, badNames };
}

/** A name that is no UTF-8 cannot be asked for, and may look like another that is. */
function badNamesOf(path: string): Map<string, number> {
  const bad = new Map<string, number>();
  for (const name of readdirSync(path, { encoding: "buffer" })) {
    if (!isUtf8(name)) bad.set(name.toString("utf8"), (bad.get(name.toString("utf8")) ?? 0) + 1);
  }
  return bad;
}

const WITH_TYPES = { withFileTypes: true } as const;

function folderFault(code: string): Fault {
  const why: Record<string, string> = {
    ENAMETOOLONG: "its path is longer than the operating system allows",
    EACCES: "permission denied",
    EPERM: "permission denied",
    ELOOP: "it is a link that leads to itself",
  };
  return { fault: "UNREADABLE", message: `The folder was not searched: ${why[code] ?? code}.` };
}

const MAY_BE_MISSING = { throwIfNoEntry: false } as const;

/** What is at a path now, a link itself included: nothing, something, or a place that cannot be looked at. */
export function tryStat(path: string): Stats | Fault | undefined {
  try {
    return lstatSync(path, MAY_BE_MISSING);
  } catch (error) {
    return folderFault(systemCode(error));
  }
}
