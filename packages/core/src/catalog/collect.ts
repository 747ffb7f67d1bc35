import { type Stats, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isInside } from "../config/project-root.ts";
import type { Fault } from "../diagnostics.ts";
import { DIALECTS } from "../skill/dialects.ts";
import { indexFile } from "./cache-folder.ts";
import { loadIndex, saveIndex } from "./index-file.ts";
import { type Link, linksOf, resolveLink } from "./links.ts";
import type { Root } from "./roots.ts";
import { readSkillAt, type ScanOptions, scanTree } from "./scan.ts";
import { type SkillFile, skillId, type Tree } from "./tree.ts";

/** A skill file with the root that it belongs to. */
export interface Found {
  readonly root: Root;
  readonly file: SkillFile;
}

export interface Collection {
  /** Each file once, in the order of the roots and then of the paths. */
  readonly found: readonly Found[];
  /** What was met on the way and is no skill: broken links, folders that cannot be read. */
  readonly faults: readonly PlacedFault[];
  /** Every tree looked at, for the next refresh and for watching. */
  readonly trees: ReadonlyMap<string, Tree>;
}

export interface PlacedFault {
  readonly path: string;
  readonly fault: Fault;
}

export interface CollectOptions {
  readonly projectRoot: string;
  /** Whether links may lead out of the project's roots. */
  readonly trusted: boolean;
  /** Folder for indexes; `null` for none. */
  readonly cache: string | null;
  /** Trees of the snapshot before, which are more recent than any index. */
  readonly known?: ReadonlyMap<string, Tree> | undefined;
  readonly now: () => number;
  readonly onProgress?: ((folders: number) => void) | undefined;
}

/** A tree to look through: a root, or what a link leads to. */
interface Job {
  readonly root: Root;
  readonly scan: Pick<ScanOptions, "top" | "place" | "bareChildren" | "topMayBeSkill">;
}

/** Looks through all roots, then follows their links; each real folder is looked at once. */
export async function collect(roots: readonly Root[], options: CollectOptions): Promise<Collection> {
  const faults: PlacedFault[] = [];
  const found = new Map<string, Found>();
  const trees = new Map<string, Tree>();
  const otherRoots = new Set(roots.map((root) => root.real));
  const seen = new SeenFolders();
  let folders = 0;

  const look = async ({ root, scan }: Job): Promise<Link[]> => {
    const key = indexFile("", { ...scan, otherRoots });
    const file = options.cache === null ? null : join(options.cache, key);
    const before = folders;
    const { tree, changed } = await scanTree({
      ...scan,
      otherRoots,
      known: options.known?.get(key) ?? (file ? loadIndex(file) : null),
      now: options.now(),
      onProgress: options.onProgress && ((count) => options.onProgress?.(before + count)),
    });
    folders += tree.folders.length;
    trees.set(key, tree);
    const unsaved = file && changed ? saveIndex(file, tree) : undefined;
    if (file && unsaved) faults.push({ path: file, fault: unsaved });
    for (const folder of tree.folders) {
      for (const fault of folder.faults) faults.push({ path: placeOf(fault, folder.path), fault });
      const { skill } = folder;
      if (skill && !found.has(skill.path)) found.set(skill.path, { root, file: skill });
    }
    seen.addTree(tree);
    return linksOf(tree);
  };

  let jobs = roots.filter((root) => mayLookIn(root, options, faults)).map(rootJob);
  while (jobs.length > 0) {
    const links: { job: Job; link: Link }[] = [];
    for (const job of jobs) links.push(...(await look(job)).map((link) => ({ job, link })));
    jobs = [];
    for (const { job, link } of links) {
      const { root } = job;
      const { target, fault } = resolveLink(link, root, options.trusted);
      if (target?.kind === "folder" && seen.has(target.stats)) continue;
      if (fault) faults.push({ path: link.path, fault });
      if (!target) continue;
      const isRootChild = link.folder.path === root.real;
      if (target.kind === "folder") {
        seen.add(target.stats);
        const place = { folder: link.name, dialect: root.dialect, bareIsLily: root.bareIsLily && isRootChild };
        jobs.push({ root, scan: { top: target.real, place, bareChildren: false, topMayBeSkill: true } });
      } else if (!found.has(link.path)) {
        const isDirectChild = link.folder.parent === 0 && job.scan.bareChildren;
        const place = { folder: basename(link.folder.path), dialect: root.dialect, bareIsLily: isDirectChild };
        // The skill is where the link is; its text is where the link leads.
        const file = { ...readSkillAt(target.real, place), path: link.path, id: skillId(link.path) };
        found.set(link.path, { root, file });
      }
    }
  }

  const order = new Map(roots.map((root, index) => [root, index]));
  const sorted = [...found.values()].sort(
    (a, b) => (order.get(a.root) ?? 0) - (order.get(b.root) ?? 0) || compareText(a.file.path, b.file.path),
  );
  faults.sort((a, b) => compareText(a.path, b.path));
  return { found: sorted, faults, trees };
}

function rootJob(root: Root): Job {
  const { dialect, real } = root;
  const place = { folder: basename(real), dialect, bareIsLily: false };
  const topMayBeSkill = DIALECTS[dialect].looksIn === "tree";
  return { root, scan: { top: real, place, bareChildren: root.bareIsLily, topMayBeSkill } };
}

/** A root that does not exist is an error only where somebody named it; a project's root may not lead out of it. */
function mayLookIn(root: Root, options: CollectOptions, faults: PlacedFault[]): boolean {
  const report = (fault: Fault["fault"], message: string): void => {
    faults.push({ path: root.path, fault: { fault, message } });
  };
  const stats = statSync(root.real, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) {
    if (stats) report("ROOT_MISSING", "This root is not a folder.");
    else if (root.explicit) report("ROOT_MISSING", "This root does not exist; create it or name another.");
    return false;
  }
  if (root.explicit || root.scope !== "repo" || isInside(root.real, options.projectRoot)) return true;
  if (options.trusted) {
    report("SYMLINK", `This root is a link out of the project, to ${root.real}.`);
    return true;
  }
  const message = `This root is a link out of the project, to ${root.real}; it is followed once you trust this project (knack trust).`;
  report("PATH_ESCAPE", message);
  return false;
}

/** A missing or misnamed file is told at the place where it should be. */
function placeOf(fault: Fault, folder: string): string {
  return fault.fault === "SKILL_MISSING" || fault.fault === "FILE_NAME" ? join(folder, "SKILL.md") : folder;
}

/** Folders already looked at, by device and inode; counted only where a link asks. */
class SeenFolders {
  readonly #uncounted: Tree[] = [];
  readonly #keys = new Set<string>();

  addTree(tree: Tree): void {
    this.#uncounted.push(tree);
  }

  add(stats: Stats): void {
    this.#keys.add(`${stats.dev}:${stats.ino}`);
  }

  has(stats: Stats): boolean {
    for (const tree of this.#uncounted.splice(0)) {
      for (const { identity } of tree.folders) this.#keys.add(`${identity.dev}:${identity.ino}`);
    }
    return this.#keys.has(`${stats.dev}:${stats.ino}`);
  }
}

/** By code units: the same on every machine and in every language. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
