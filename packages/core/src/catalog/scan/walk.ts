import { isUtf8 } from "node:buffer";
import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { basename, sep } from "node:path";
import type { Fault } from "../../shared/diagnostics.ts";
import { systemCode } from "../../shared/errors.ts";
import { takeTurns } from "../../shared/turns.ts";
import { DIALECTS } from "../../skill/dialects.ts";
import type { FullYaml, Place } from "../../skill/skill-text.ts";
import { type Folder, folderKey, isSkillFolder, isUnchanged, stampsOf, type Tree, UNKNOWN } from "../tree.ts";
import { AGENT_FILE, readAgentAt, readSkillAt } from "./skill-at.ts";

export interface ScanOptions {
  readonly top: string;
  /** How a skill at the top is read; a link may show its folder under another name. */
  readonly place: Place;
  /** Whether direct children of the top with neither name nor description are read as `lily`. */
  readonly bareChildren: boolean;
  /** False for a root of which only the children are skills. */
  readonly topMayBeSkill: boolean;
  /** Nested roots, which are scanned on their own. */
  readonly otherRoots: ReadonlySet<string>;
}

interface ScanProgress {
  readonly onProgress?: ((folders: number) => void) | undefined;
  /** Only these folders can have changed, and only they are looked at. */
  readonly changed?: ReadonlySet<string> | undefined;
}

/** Without a change this costs one `stat` per folder and skill, and answers the known tree itself. */
export async function scanTree(
  options: ScanOptions,
  known: Tree | null,
  progress: ScanProgress,
): Promise<Tree> {
  const seenAt = Date.now();
  const pause = pauser(progress.onProgress);
  const unchanged = known ? await unchangedFolders(known, pause, progress.changed) : [];
  if (known && unchanged.length === known.folders.length) return known;
  return new Walk(options, known, new Set(unchanged)).run(seenAt, pause);
}

async function unchangedFolders(
  { folders, seenAt }: Tree,
  pause: Pause,
  changed: ReadonlySet<string> | undefined,
): Promise<readonly Folder[]> {
  if (changed) return changed.size === 0 ? folders : folders.filter(({ path }) => !changed.has(path));
  for (const [i, folder] of folders.entries()) {
    if ((i & 255) === 0) await pause(i);
    // Everything after the first change is left to the walk.
    const { path, stamps, at } = folder;
    if (!isSame(path, stamps, at, seenAt) || !hasSameFiles(folder, seenAt)) return folders.slice(0, i);
  }
  return folders;
}

function hasSameFiles({ path, skill, stamps, at, agent }: Folder, seenAt: number): boolean {
  return (
    (!skill || isSame(skill.path, stamps, at + 5, seenAt)) &&
    (!agent || isSame(path + sep + AGENT_FILE, agent.stamps, 0, seenAt))
  );
}

function isSame(path: string, stamps: ArrayLike<number>, at: number, seenAt: number): boolean {
  const stats = tryStat(path);
  return stats !== undefined && !("fault" in stats) && isUnchanged(stamps, at, stats, seenAt);
}

type Pause = (folders: number) => Promise<void> | undefined;

/** Yields to other work and reports progress after each slice of time. */
function pauser(onProgress: ScanProgress["onProgress"]): Pause {
  const turn = takeTurns();
  let most = 0;
  return (folders) => {
    const next = turn();
    if (!next) return undefined;
    // A scan that has to start again does not report less than before.
    most = Math.max(most, folders);
    onProgress?.(most);
    return next;
  };
}

type NewFolder = { -readonly [part in keyof Folder]: Folder[part] };

type ReadOn = () => void;

interface Visit {
  readonly path: string;
  readonly parent: Folder | null;
  readonly depth: number;
  readonly insideSkill: boolean;
  /** As it was; `undefined` where it is new, or where a skill above it came or went. */
  readonly known: Folder | undefined;
  /** A folder above was replaced, so no notice of this one came. */
  readonly isMoved: boolean;
}

/** Walks a tree that has changed: unchanged folders are not listed again, unchanged skills not read again. */
class Walk {
  readonly #options: ScanOptions;
  readonly #onlyChildren: boolean;
  readonly #seenAt: number;
  readonly #unchanged: ReadonlySet<Folder>;
  readonly #knownChildren: ReadonlyMap<Folder | null, readonly Folder[]>;
  readonly #folders: Folder[] = [];
  readonly #waiting: Visit[];
  /** Devices whose folders count their subfolders as links. */
  readonly #countsSubfolders = new Set<number>();
  #fullYaml: FullYaml | null = null;

  /** `unchanged`: folders that are certainly as they were, with their skill. */
  constructor(options: ScanOptions, known: Tree | null, unchanged: ReadonlySet<Folder>) {
    this.#options = options;
    this.#onlyChildren = DIALECTS[options.place.dialect].looksIn === "children";
    this.#seenAt = known?.seenAt ?? 0;
    this.#unchanged = unchanged;
    this.#knownChildren = Map.groupBy(known?.folders ?? [], ({ parent }) => parent);
    const top = { path: options.top, parent: null, depth: 0, insideSkill: false, isMoved: false };
    this.#waiting = [{ ...top, known: known?.folders[0] }];
  }

  async run(seenAt: number, pause: Pause): Promise<Tree> {
    for (let visit = this.#waiting.pop(); visit; visit = this.#waiting.pop()) {
      const readOn = this.#look(visit);
      if (readOn) {
        // Most skills do not need the full parser, so the first that does loads it.
        this.#fullYaml ??= (await import("../../skill/yaml/yaml-profile.ts")).parseYaml;
        readOn();
      }
      if ((this.#folders.length & 63) === 0) await pause(this.#folders.length);
    }
    return { seenAt, folders: this.#folders };
  }

  /** Answers what is left to do once the full YAML parser is loaded. */
  #look(visit: Visit): ReadOn | undefined {
    const { known, path } = visit;
    if (known && !visit.isMoved && this.#unchanged.has(known)) {
      this.#keep(visit, known);
      return undefined;
    }
    const stats = tryStat(path);
    // Gone since its parent was listed, or not a folder any more.
    if (!stats || (!("fault" in stats) && !stats.isDirectory())) return undefined;
    if ("fault" in stats) {
      this.#add(visit, { faults: [stats] });
      return undefined;
    }
    if (known && isUnchanged(known.stamps, known.at, stats, this.#seenAt)) {
      if (!hasSameFiles(known, this.#seenAt))
        return this.#readFiles(visit, this.#reuse(visit, known), known.skill !== null, known.agent !== null);
      this.#keep(visit, known);
      return undefined;
    }
    return this.#readLeaf(visit, stats) ? undefined : this.#list(visit, stats);
  }

  #add({ path, parent }: Visit, found: Partial<Folder>): NewFolder {
    const { stamps = NO_STAMPS, at = 0, skill = null, links = NONE, faults = NONE, agent = null } = found;
    const folder: NewFolder = { path, parent, stamps, at, skill, links, faults, agent };
    this.#folders.push(folder);
    return folder;
  }

  /**
   * A folder with two links (its name and ".") has no subfolders, where the file system counts them. With a `SKILL.md` it
   * need not be listed, which halves the cost of a first scan.
   */
  #readLeaf(visit: Visit, stats: Stats): boolean {
    if (stats.nlink !== 2 || !this.#countsSubfolders.has(stats.dev) || !this.#mayBeSkill(visit)) return false;
    const read = readSkillAt(`${visit.path + sep}SKILL.md`, this.#placeOf(visit), this.#fullYaml);
    // No such file, a link, or it needs the full parser: the listing decides.
    if (!read?.stats?.isFile()) return false;
    this.#add(visit, { stamps: [...stampsOf(stats), ...stampsOf(read.stats)], skill: read.skill });
    return true;
  }

  #mayBeSkill(visit: Visit): boolean {
    return visit.depth > 0 || this.#options.topMayBeSkill;
  }

  #reuse(visit: Visit, known: Folder): NewFolder {
    const folder = this.#add(visit, known);
    this.#awaitKnown(visit, folder, known);
    return folder;
  }

  /** Below the same parent the object stays the same, so the next look sees at once that nothing changed. */
  #keep(visit: Visit, known: Folder): void {
    if (known.parent !== visit.parent) return void this.#reuse(visit, known);
    this.#folders.push(known);
    this.#awaitKnown(visit, known, known);
  }

  #awaitKnown(visit: Visit, folder: Folder, known: Folder): void {
    this.#await(visit, folder, isSkillFolder(known), this.#knownChildren.get(known) ?? [], false);
  }

  #list(visit: Visit, stats: Stats): ReadOn | undefined {
    const { path, insideSkill, known } = visit;
    const listing = listFolder(path);
    if ("fault" in listing) {
      this.#add(visit, { faults: [listing] });
      return undefined;
    }
    const { links, hasSkill, hasAgent, otherCase, subfolders, badNames } = listing;
    const faults: Fault[] = [];
    if (badNames > 0) {
      const message = `Names in this folder that are not valid UTF-8 were skipped (${badNames}); rename them.`;
      faults.push({ fault: "UNREADABLE", message });
    }
    // A folder with subfolders proves it: some file systems say 1 or 2 of every folder.
    if (subfolders.length > 0 && stats.nlink === 2 + subfolders.length) this.#countsSubfolders.add(stats.dev);
    const mayBeSkill = this.#mayBeSkill(visit);
    const isSkill = mayBeSkill && (hasSkill || links.includes("SKILL.md"));
    if (mayBeSkill && !isSkill && this.#onlyChildren && !basename(path).startsWith(".")) {
      const message = "The folder has no SKILL.md, so it is not a skill.";
      faults.push({ fault: "SKILL_MISSING", message });
    } else if (mayBeSkill && !isSkill && otherCase && !insideSkill) {
      const message = `${otherCase} is not read; if it is a skill, rename it to SKILL.md.`;
      faults.push({ fault: "FILE_NAME", message });
    }
    const folder = this.#add(visit, { stamps: [...stampsOf(stats), ...UNKNOWN], links, faults });
    const names = subfolders.filter((name) => mayHoldSkills(name, insideSkill || isSkill));
    if (names.length > 0) {
      const before = (known && this.#knownChildren.get(known)) ?? [];
      const byPath = new Map(before.map((child) => [child.path, child]));
      const prefix = path.endsWith(sep) ? path : path + sep;
      const children = names.map((name) => byPath.get(prefix + name) ?? { path: prefix + name });
      const isMoved = !known || folderKey(known) !== folderKey(folder);
      this.#await(visit, folder, isSkill, children, isMoved);
    }
    const isOfAgents = hasAgent && insideSkill && basename(path) === "agents";
    return this.#readFiles(visit, folder, mayBeSkill && hasSkill, isOfAgents);
  }

  #await(
    visit: Visit,
    parent: Folder,
    isSkill: boolean,
    children: readonly (Folder | { readonly path: string })[],
    isMoved: boolean,
  ): void {
    // Below a skill of such a root there are no more skills.
    if (this.#onlyChildren && this.#mayBeSkill(visit)) return;
    const insideSkill = visit.insideSkill || isSkill;
    // Inside a skill fewer subfolders count, so where that changed nothing known below holds.
    const wasInside = visit.insideSkill || (visit.known !== undefined && isSkillFolder(visit.known));
    const depth = visit.depth + 1;
    for (const child of children.toReversed()) {
      if (this.#options.otherRoots.has(child.path)) continue;
      const known = insideSkill === wasInside && "stamps" in child ? child : undefined;
      this.#waiting.push({ path: child.path, parent, depth, insideSkill, known, isMoved });
    }
  }

  #readFiles(visit: Visit, folder: NewFolder, hasSkill: boolean, hasAgent: boolean): ReadOn | undefined {
    const skill = hasSkill
      ? readSkillAt(`${visit.path + sep}SKILL.md`, this.#placeOf(visit), this.#fullYaml)
      : undefined;
    const agent = hasAgent ? readAgentAt(visit.path + sep + AGENT_FILE, this.#fullYaml) : undefined;
    if (skill === null || agent === null)
      return () => void this.#readFiles(visit, folder, hasSkill, hasAgent);
    if (skill) {
      folder.skill = skill.skill;
      const { stamps, at } = folder;
      const ofFile = skill.stats ? stampsOf(skill.stats) : UNKNOWN;
      folder.stamps = [...ofFile.map((_, i) => stamps[at + i]!), ...ofFile];
      folder.at = 0;
    }
    if (agent) folder.agent = agent;
    return undefined;
  }

  #placeOf({ path, depth }: Visit): Place {
    const { place, bareChildren } = this.#options;
    if (depth === 0) return place;
    return { folder: basename(path), dialect: place.dialect, bareIsLily: bareChildren && depth === 1 };
  }
}

const NONE: readonly never[] = [];
const NO_STAMPS: readonly number[] = [...UNKNOWN, ...UNKNOWN];

/** Never skills, wherever they are. */
const SKIPPED = new Set(["node_modules", ".git"]);
/** Inside a skill these hold its resources, so a `SKILL.md` there is an example and not a skill. */
const RESOURCES = new Set(["assets", "references", "scripts"]);

export function mayHoldSkills(name: string, insideSkill: boolean): boolean {
  return !SKIPPED.has(name) && !(insideSkill && RESOURCES.has(name));
}

function listFolder(path: string) {
  let entries: readonly (Dirent | Dirent<Buffer>)[];
  /** How many names in it are not valid UTF-8. */
  let badNames = 0;
  try {
    entries = readdirSync(path, WITH_TYPES);
    if (entries.some(({ name }) => name.includes("\ufffd"))) {
      // Such a name cannot be opened, and may look like another one.
      const all = readdirSync(path, { ...WITH_TYPES, encoding: "buffer" });
      entries = all.filter(({ name }) => isUtf8(name));
      badNames = all.length - entries.length;
    }
  } catch (error) {
    return folderFault(systemCode(error));
  }
  const subfolders: string[] = [];
  const links: string[] = [];
  /** Not as a link. */
  let hasSkill = false;
  let hasAgent = false;
  /** A file whose name differs from `SKILL.md` only in case. */
  let otherCase = "";
  for (const entry of entries) {
    const name = String(entry.name);
    if (entry.isSymbolicLink()) links.push(name);
    else if (name === "SKILL.md") hasSkill = true;
    else if (name === AGENT_FILE) hasAgent = true;
    else if (entry.isDirectory()) subfolders.push(name);
    else if (name.length === 8 && name.toUpperCase() === "SKILL.MD" && entry.isFile()) otherCase = name;
  }
  // The operating system returns names in no particular order.
  subfolders.sort();
  links.sort();
  return { subfolders, links, hasSkill, hasAgent, otherCase, badNames };
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

/** Without following a link; a fault where the system cannot tell. */
export function tryStat(path: string): Stats | Fault | undefined {
  try {
    return lstatSync(path, MAY_BE_MISSING);
  } catch (error) {
    return folderFault(systemCode(error));
  }
}
