import { type Stats, statSync } from "node:fs";
import { basename, sep } from "node:path";
import type { Fault } from "../diagnostics.ts";
import { systemCode } from "../errors.ts";
import { DIALECTS } from "../skill/dialects.ts";
import { type Place, parseSkill } from "../skill/parse.ts";
import { folderFault, listFolder, mayHoldSkills } from "./list-folder.ts";
import { readSkillFile } from "./skill-file.ts";
import { isSameFile, isSameFolder, parentOf, type SkillFile, skillId, type Tree, TreeBuilder } from "./tree.ts";

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
}

/** Long work lets others run: a server that refreshes its catalog keeps answering. */
const SLICE_MS = 25;

/**
 * Looks through a tree, given what is known of it from an earlier look. Where nothing changed that costs one `stat` a
 * folder and one a skill, and the answer is the known tree itself.
 */
export async function scanTree(options: ScanOptions, known: Tree | null, progress: ScanProgress): Promise<Tree> {
  const pause = pauser(progress.onProgress);
  const unchanged = known ? await countUnchanged(known, pause) : 0;
  if (known && unchanged === known.paths.length) return known;
  const walk = new Walk(options, known, unchanged);
  while (walk.step()) if ((walk.length & 63) === 0) await pause(walk.length);
  return walk.tree(progress.now);
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
  const go = Promise.resolve();
  return (folders) => {
    if (performance.now() < sliceEnd) return go;
    onProgress?.(folders);
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
  /** Its index in the known tree; -1 where it is new. */
  readonly known: number;
}

/**
 * A walk of which something is new. A folder whose time stamps are those of the last look is not listed again, and a
 * `SKILL.md` likewise is not read again.
 */
class Walk {
  readonly #options: ScanOptions;
  readonly #onlyChildren: boolean;
  readonly #known: Tree | null;
  /** Folders of the known tree before this index were just looked at and are unchanged. */
  readonly #verified: number;
  readonly #knownChildren: ReadonlyMap<number, number[]>;
  readonly #builder = new TreeBuilder();
  readonly #waiting: Visit[];

  constructor(options: ScanOptions, known: Tree | null, verified: number) {
    this.#options = options;
    this.#onlyChildren = DIALECTS[options.place.dialect].looksIn === "children";
    this.#known = known;
    this.#verified = verified;
    this.#knownChildren = known ? childrenOf(known) : new Map();
    this.#waiting = [{ path: options.top, parent: -1, depth: 0, insideSkill: false, known: known ? 0 : -1 }];
  }

  get length(): number {
    return this.#builder.length;
  }

  tree(now: number): Tree {
    return this.#builder.build(now);
  }

  /** Looks at the next folder; false when none waits. */
  step(): boolean {
    const visit = this.#waiting.pop();
    if (!visit) return false;
    const known = this.#known;
    if (known && visit.known !== -1 && visit.known < this.#verified) {
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
    } else {
      this.#list(visit, stats);
    }
    return true;
  }

  #reuse(visit: Visit, known: Tree): void {
    const index = this.#builder.copy(visit.path, visit.parent, known, visit.known);
    const isSkill = known.skills[visit.known] !== null || (known.links.get(visit.known)?.includes("SKILL.md") ?? false);
    const children = this.#knownChildren.get(visit.known) ?? [];
    this.#await(
      visit,
      index,
      isSkill,
      children.map((child) => ({ path: known.paths[child] ?? "", known: child })),
    );
  }

  #refreshSkill(visit: Visit, known: Tree): void {
    const skill = known.skills[visit.known];
    if (!skill) return;
    const stats = tryStat(skill.path);
    if (stats && !("fault" in stats) && isSameFile(known, visit.known, stats)) return;
    this.#readSkill(visit, this.#builder.length - 1);
  }

  #list(visit: Visit, stats: Stats): void {
    const { path, depth, insideSkill } = visit;
    const listing = listFolder(path);
    if ("fault" in listing) {
      this.#addBroken(visit, listing);
      return;
    }
    const { links, hasSkill, otherCase, subfolders } = listing;
    const index = this.#builder.add(path, visit.parent, stats);
    this.#builder.setLinks(index, links);
    const mayBeSkill = depth > 0 || this.#options.topMayBeSkill;
    const isSkill = mayBeSkill && (hasSkill || links.includes("SKILL.md"));
    if (mayBeSkill && hasSkill) {
      this.#readSkill(visit, index);
    } else if (mayBeSkill && !isSkill && this.#onlyChildren && !basename(path).startsWith(".")) {
      this.#builder.addFault(index, { fault: "SKILL_MISSING", message: "The folder has no SKILL.md, so it is no skill." });
    } else if (mayBeSkill && !isSkill && otherCase && !insideSkill) {
      const message = `${otherCase} is not read; if it is a skill, rename it to SKILL.md.`;
      this.#builder.addFault(index, { fault: "FILE_NAME", message });
    }
    const names = subfolders.filter((name) => mayHoldSkills(name, insideSkill || isSkill));
    if (names.length === 0) return;
    const byPath = new Map((this.#knownChildren.get(visit.known) ?? []).map((child) => [this.#known?.paths[child], child]));
    const prefix = path.endsWith(sep) ? path : path + sep;
    this.#await(
      visit,
      index,
      isSkill,
      names.map((name) => ({ path: prefix + name, known: byPath.get(prefix + name) ?? -1 })),
    );
  }

  #await(visit: Visit, index: number, isSkill: boolean, children: readonly { path: string; known: number }[]): void {
    // Where only children of a root are skills, nothing below one of them is.
    if (this.#onlyChildren && (visit.depth > 0 || this.#options.topMayBeSkill)) return;
    const insideSkill = visit.insideSkill || isSkill;
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (!child || this.#options.otherRoots.has(child.path)) continue;
      this.#waiting.push({ path: child.path, parent: index, depth: visit.depth + 1, insideSkill, known: child.known });
    }
  }

  #readSkill({ path, depth }: Visit, index: number): void {
    const { place, bareChildren } = this.#options;
    const at: Place =
      depth === 0 ? place : { folder: basename(path), dialect: place.dialect, bareIsLily: bareChildren && depth === 1 };
    const { skill, stats } = readSkillAt(path + sep + "SKILL.md", at);
    this.#builder.setSkill(index, skill, stats);
  }

  #addBroken(visit: Visit, fault: Fault): void {
    this.#builder.addFault(this.#builder.add(visit.path, visit.parent, null), fault);
  }
}

/** Reads one `SKILL.md`; what cannot be read is a skill file with a fault. */
export function readSkillAt(path: string, place: Place): { skill: SkillFile; stats: Stats | null } {
  const content = readSkillFile(path);
  const id = skillId(path);
  if ("fault" in content) {
    const { fault, message, stats = null } = content;
    const { dialect, folder: name } = place;
    const mtimeMs = stats?.mtimeMs ?? 0;
    return { skill: { id, path, mtimeMs, dialect, name, description: "", facts: null, faults: [{ fault, message }] }, stats };
  }
  const { stats, bytes } = content;
  const { dialect, name, description, facts, faults } = parseSkill(bytes, place);
  const skill: SkillFile = { id, path, mtimeMs: stats.mtimeMs, dialect, name, description, facts, faults };
  if (stats.nlink === 1) return { skill, stats };
  // Package managers link files of a shared store on purpose, so this informs and refuses nothing.
  const message = `The file has ${stats.nlink} names (hard links); a change under another name changes this skill.`;
  return { skill: { ...skill, faults: [...faults, { fault: "HARDLINK", message }] }, stats };
}

const MAY_BE_MISSING = { throwIfNoEntry: false } as const;

function tryStat(path: string): Stats | Fault | undefined {
  try {
    return statSync(path, MAY_BE_MISSING);
  } catch (error) {
    return folderFault(systemCode(error));
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
