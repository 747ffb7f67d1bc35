import { hash } from "node:crypto";
import type { Stats } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import type { Fault } from "../shared/diagnostics.ts";
import { compareText } from "../shared/fold.ts";
import { isInside } from "../shared/paths.ts";
import { DIALECTS } from "../skill/dialects.ts";
import { type Destination, type Link, linksOf, resolveLink, type SeenLink } from "./scan/links.ts";
import { type Root, rootKey } from "./scan/roots.ts";
import { readSkillAt } from "./scan/skill-at.ts";
import { type ScanOptions, scanTree, tryStat } from "./scan/walk.ts";
import {
  folderKey,
  type Identity,
  identityOf,
  loadIndex,
  type ScannedFile,
  saveIndex,
  skillId,
  type Tree,
} from "./tree.ts";

/** A skill file with the root that it belongs to. */
export interface FoundFile {
  readonly root: Root;
  readonly file: ScannedFile;
  /** Of the file; of a linked `SKILL.md`, of what it leads to. */
  readonly identity: Identity | null;
  /** Where a linked `SKILL.md` leads. */
  readonly target?: string;
}

/** By path of a linked `SKILL.md`: where the link led. */
export function linkTargets(found: readonly FoundFile[]): ReadonlyMap<string, string> {
  return new Map(found.flatMap(({ file, target }) => (target ? [[file.path, target] as const] : [])));
}

export interface Collection {
  /** Each file once, in the order of the roots and then of the paths. */
  readonly found: readonly FoundFile[];
  /** Things found on the way that are not skills: broken links, folders that cannot be read. */
  readonly faults: readonly PlacedFault[];
  /** Every tree looked at, for the next refresh and for watching. */
  readonly trees: ReadonlyMap<string, Tree>;
  /** By real path of a root: which folder was there. */
  readonly rootKeys: ReadonlyMap<string, string>;
  readonly links: readonly SeenLink[];
  /** By path of a skill: the links that lead to it too. */
  readonly places: ReadonlyMap<string, readonly string[]>;
}

interface PlacedFault {
  readonly path: string;
  readonly fault: Fault;
}

export interface CollectOptions {
  readonly projectRoot: string;
  /** Whether links to outside the project's roots are followed. */
  readonly trusted: boolean;
  /** Folder for indexes; `null` for none. */
  readonly cache: string | null;
  /** Trees of the snapshot before, which are more recent than any index. */
  readonly known?: ReadonlyMap<string, Tree> | undefined;
  /** Of the known trees: where it is certain that nothing changed but in these folders. */
  readonly changed?: ReadonlySet<string> | undefined;
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
  const found: FoundFile[] = [];
  const trees = new Map<string, Tree>();
  const seenLinks: SeenLink[] = [];
  const again: SecondLink[] = [];
  const firstLinks = new Map<string, string>();
  const otherRoots = new Set(roots.flatMap(({ real, leftOut = [] }) => [real, ...leftOut]));
  /** Folders already looked at; those of trees count only where a link asks. */
  const seen = new Set<string>();
  const uncounted: Tree[] = [];
  const wasSeen = (stats: Stats): boolean => {
    for (const tree of uncounted.splice(0))
      for (const { identity } of tree.folders) seen.add(folderKey(identity));
    return seen.has(folderKey(identityOf(stats)));
  };
  let earlier: Set<string> | undefined;
  let folders = 0;

  const look = async ({ root, scan }: Job, isLinked: boolean): Promise<Link[]> => {
    const what = { ...scan, otherRoots };
    const key = indexKey(what);
    const file = options.cache === null ? null : indexFile(options.cache, key);
    const before = options.known?.get(key);
    const known = before ?? (file ? loadIndex(file, scan.top) : null);
    const sofar = folders;
    const onProgress = options.onProgress && ((count: number) => options.onProgress?.(sofar + count));
    const changed = before && options.changed;
    const tree = await scanTree(what, known, { now: options.now(), onProgress, changed });
    folders += tree.folders.length;
    trees.set(key, tree);
    // A small linked tree is read as fast as an index of it would be.
    const isWorthSaving = tree !== known && (!isLinked || tree.folders.length > 64);
    const unsaved = file && isWorthSaving ? saveIndex(file, tree) : undefined;
    // Told once, and not for every tree.
    if (file && unsaved && !faults.some(({ fault }) => fault.fault === "INDEX")) {
      faults.push({ path: dirname(file), fault: unsaved });
    }
    // Roots do not overlap, so only what a link leads to can have been found before.
    if (isLinked) earlier ??= new Set(found.map(({ file: { path } }) => path));
    for (const { path, skill, skillIdentity, faults: ownFaults } of tree.folders) {
      for (const fault of ownFaults) faults.push({ path: placeOf(fault, path), fault });
      if (!skill || earlier?.has(skill.path)) continue;
      earlier?.add(skill.path);
      found.push({ root, file: skill, identity: skillIdentity });
    }
    uncounted.push(tree);
    return linksOf(tree, root.dialect);
  };

  // Before anything is looked at: what is replaced during the look differs the next time.
  const rootKeys = new Map(roots.map(({ real }) => [real, rootKey(real)]));
  let jobs = roots.filter((root) => mayLookIn(root, options, faults)).map(rootJob);
  for (let isLinked = false; jobs.length > 0; isLinked = true) {
    const links: { job: Job; link: Link }[] = [];
    for (const job of jobs) for (const link of await look(job, isLinked)) links.push({ job, link });
    jobs = [];
    const resolved = links.map(({ job, link }) => ({
      job,
      link,
      ...resolveLink(link, job.root, options.trusted),
    }));
    // Of several links to one folder the one that bears its name comes first.
    resolved.sort((a, b) => Number(isNamesake(b)) - Number(isNamesake(a)));
    for (const { job, link, target, mayFollow, fault, seen: state } of resolved) {
      const { root } = job;
      const folder = target?.kind === "folder" ? target.real : undefined;
      seenLinks.push({ path: link.path, seen: state, folder });
      if (folder !== undefined && target && wasSeen(target.stats)) {
        again.push({ path: link.path, folder, fault, isOfClient: root.client !== undefined, mayFollow });
        continue;
      }
      if (fault) faults.push({ path: link.path, fault });
      if (!target || !mayFollow) continue;
      const { dialect } = root;
      if (target.kind === "folder") {
        seen.add(folderKey(identityOf(target.stats)));
        firstLinks.set(target.real, link.path);
        const place = { folder: link.name, dialect, bareIsLily: job.scan.bareChildren && link.depth === 0 };
        jobs.push({ root, scan: { top: target.real, place, bareChildren: false, topMayBeSkill: true } });
      } else {
        const place = {
          folder: basename(link.folder),
          dialect,
          bareIsLily: job.scan.bareChildren && link.depth === 1,
        };
        // The skill is where the link is; its text is where the link leads.
        const { parseYaml } = await import("../skill/yaml/yaml-profile.ts");
        const { skill } = readSkillAt(target.real, place, parseYaml);
        const file = { ...skill, path: link.path, id: skillId(link.path) };
        found.push({ root, file, identity: identityOf(target.stats), target: target.real });
      }
    }
  }

  const places = placesOf(again, firstLinks, found, faults);
  // A single tree is nearly in order; several roots are in the order in which they were given.
  const order = new Map(roots.map((root, index) => [root, index]));
  const sorted = found.sort(
    (a, b) => (order.get(a.root) ?? 0) - (order.get(b.root) ?? 0) || compareText(a.file.path, b.file.path),
  );
  faults.sort((a, b) => compareText(a.path, b.path));
  return { found: sorted, faults, trees, rootKeys, links: seenLinks, places };
}

/** A link to a folder that was found before. */
interface SecondLink {
  readonly path: string;
  readonly folder: string;
  readonly fault: Fault | null;
  readonly isOfClient: boolean;
  readonly mayFollow: boolean;
}

/** Installers link one skill into the folders of several clients, so nothing is wrong with those links. */
function placesOf(
  again: readonly SecondLink[],
  firstLinks: ReadonlyMap<string, string>,
  found: readonly FoundFile[],
  faults: PlacedFault[],
): Map<string, string[]> {
  const places = new Map<string, string[]>();
  if (again.length === 0) return places;
  const known = new Set(found.map(({ file }) => file.path));
  for (const { path, folder, fault, isOfClient, mayFollow } of again) {
    const skill = join(folder, "SKILL.md");
    const isKnown = known.has(skill);
    if (fault && !(isOfClient && isKnown)) faults.push({ path, fault });
    if (!isKnown || !(isOfClient || mayFollow)) continue;
    const first = firstLinks.get(folder);
    const list = places.get(skill) ?? (first === undefined ? [] : [join(first, "SKILL.md")]);
    list.push(join(path, "SKILL.md"));
    places.set(skill, list);
  }
  return places;
}

function isNamesake({ link, target }: { link: Link; target: Destination["target"] }): boolean {
  return target !== null && basename(target.real) === link.name;
}

function rootJob(root: Root): Job {
  const { dialect, real } = root;
  const place = { folder: basename(real), dialect, bareIsLily: false };
  const topMayBeSkill = DIALECTS[dialect].looksIn === "tree";
  return { root, scan: { top: real, place, bareChildren: root.bareIsLily, topMayBeSkill } };
}

/** A missing root is an error only if somebody named it; a project's root may not be outside the project. */
function mayLookIn(root: Root, options: CollectOptions, faults: PlacedFault[]): boolean {
  const report = (fault: Fault["fault"], message: string): void => {
    faults.push({ path: root.path, fault: { fault, message } });
  };
  const stats = tryStat(root.real);
  if (stats && "fault" in stats) {
    report(stats.fault, stats.message);
    return false;
  }
  if (!stats?.isDirectory()) {
    if (stats?.isSymbolicLink()) report("LINK_BROKEN", "This root is a broken link.");
    else if (stats) report("ROOT_MISSING", "This root is not a folder.");
    else if (root.explicit) report("ROOT_MISSING", "This root does not exist; create it or name another.");
    return false;
  }
  if (!root.ofProject || isInside(root.real, options.projectRoot)) return true;
  if (options.trusted) {
    if (!root.explicit) report("SYMLINK", `This root is a link to ${root.real}, outside the project.`);
    return true;
  }
  const message = `This root is a link to ${root.real}, outside the project. It is not followed until you trust the project (knack trust).`;
  report("PATH_ESCAPE", message);
  return false;
}

/** Names a tree and the way of reading it. */
function indexKey(
  scan: Pick<ScanOptions, "top" | "place" | "bareChildren" | "topMayBeSkill" | "otherRoots">,
): string {
  const { top, place, bareChildren, topMayBeSkill, otherRoots } = scan;
  // All are canonical, so no path need be taken apart: there may be a root for each folder of each client.
  const below = top.endsWith(sep) ? top : top + sep;
  const nested = [...otherRoots].filter((root) => root.startsWith(below)).sort();
  return JSON.stringify([
    top,
    place.folder,
    place.dialect,
    place.bareIsLily,
    bareChildren,
    topMayBeSkill,
    nested,
  ]);
}

/** One index file for each key. */
function indexFile(folder: string, key: string): string {
  return join(folder, "catalog", `${hash("sha256", key, "hex").slice(0, 32)}.idx`);
}

/** A missing or misnamed file is reported at the path where it should be. */
function placeOf(fault: Fault, folder: string): string {
  return fault.fault === "SKILL_MISSING" || fault.fault === "FILE_NAME" ? join(folder, "SKILL.md") : folder;
}
