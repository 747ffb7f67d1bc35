import type { Stats } from "node:fs";
import { basename, sep } from "node:path";
import type { Fault } from "../../shared/diagnostics.ts";
import { DIALECTS } from "../../skill/dialects.ts";
import type { FullYaml, Place } from "../../skill/skill-text.ts";
import {
  deviceOf,
  inodeOf,
  isSameFile,
  isSameFolder,
  parentOf,
  type Tree,
  TreeBuilder,
} from "../index/tree.ts";
import { listFolder, mayHoldSkills, tryStat } from "./list-folder.ts";
import { readSkillAt } from "./skill-at.ts";

export interface WalkOptions {
  /** How to read a skill at the top; its `folder` is the name under which the top is known, which a link may change. */
  readonly place: Place;
  /** Whether direct children of the top with neither name nor description are read as `lily`. */
  readonly bareChildren: boolean;
  /** Whether the top itself may be a skill: not so for a root of which only the children are. */
  readonly topMayBeSkill: boolean;
  /** Folders that are roots of their own, and belong to them. */
  readonly otherRoots: ReadonlySet<string>;
  /** Devices whose folders are known to count their subfolders, from an earlier part of the walk. */
  readonly countsSubfolders?: readonly number[];
}

/** A folder that waits to be looked at. */
export interface Visit {
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
export class Walk {
  readonly #options: WalkOptions;
  readonly #onlyChildren: boolean;
  readonly #known: Tree | null;
  /** Of a folder of the known tree: whether it is certain that it and its skill are unchanged. */
  readonly #isUnchanged: (known: number) => boolean;
  readonly #knownChildren: ReadonlyMap<number, number[]>;
  readonly #builder = new TreeBuilder();
  readonly #waiting: Visit[];
  readonly #unread: { readonly visit: Visit; readonly index: number }[] = [];
  /** Devices whose folders have been seen to count their subfolders in their links. */
  readonly #countsSubfolders: Set<number>;
  #fullYaml: FullYaml | null = null;

  /** `starts` in the order in which they are to be looked at. */
  constructor(
    options: WalkOptions,
    starts: readonly Visit[],
    known: Tree | null,
    isUnchanged: (known: number) => boolean,
  ) {
    this.#options = options;
    this.#onlyChildren = DIALECTS[options.place.dialect].looksIn === "children";
    this.#known = known;
    this.#isUnchanged = isUnchanged;
    this.#knownChildren = known ? childrenOf(known) : new Map();
    this.#countsSubfolders = new Set(options.countsSubfolders);
    this.#waiting = starts.toReversed();
  }

  get length(): number {
    return this.#builder.length;
  }

  tree(now: number): Tree {
    return this.#builder.build(now);
  }

  /** Looks at folders until none waits, or until as many wait as the caller would rather divide. */
  async run(pause: (folders: number) => Promise<void>, divideFrom = Number.POSITIVE_INFINITY): Promise<void> {
    while (this.#waiting.length < divideFrom && this.#step()) {
      if (this.#unread.length > 0) await this.#loadYaml();
      if ((this.length & 63) === 0) await pause(this.length);
    }
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get countsSubfolders(): readonly number[] {
    return [...this.#countsSubfolders];
  }

  /** Hands over what waits, in the order in which it would be looked at. */
  takeWaiting(): Visit[] {
    return this.#waiting.splice(0).reverse();
  }

  /** Takes in what another walk found; a folder of it without a parent belongs to the start of that number. */
  append(tree: Tree, starts: readonly Visit[]): void {
    this.#builder.append(tree, (start) => starts[start]?.parent ?? -1);
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
