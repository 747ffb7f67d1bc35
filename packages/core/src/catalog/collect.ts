import { hash } from "node:crypto";
import type { Stats } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import type { Fault, PlacedFault } from "../shared/diagnostics.ts";
import { compareText } from "../shared/fold.ts";
import { isInside } from "../shared/paths.ts";
import { inTurns } from "../shared/turns.ts";
import { DIALECTS } from "../skill/dialects.ts";
import { ownTexts, readSkillText } from "../skill/skill-text.ts";
import { type Destination, type Link, linksOf, resolveLink, type SeenLink } from "./scan/links.ts";
import { type CodeFiles, type FoundRoots, type Root, rootKey } from "./scan/roots.ts";
import { AGENT_FILE, readSkillAt } from "./scan/skill-at.ts";
import { type ScanOptions, scanTree, tryStat } from "./scan/walk.ts";
import {
  folderKey,
  loadIndex,
  type ScannedFile,
  type Stamped,
  saveIndex,
  skillId,
  stampsOf,
  type Tree,
  UNKNOWN,
} from "./tree.ts";

/** The stamps of a linked `SKILL.md` are those of its target. */
export interface FoundFile extends Stamped {
  readonly root: Root;
  readonly file: ScannedFile;
  /** Where a linked `SKILL.md` leads. */
  readonly target?: string;
}

export interface Collection {
  /** Each file once, in the order of the roots and then of the paths. */
  readonly found: readonly FoundFile[];
  /** Broken links, unreadable folders and the like. */
  readonly faults: readonly PlacedFault[];
  /** For the next refresh, and for watching. */
  readonly trees: ReadonlyMap<string, Tree>;
  /** By real path of a root: the folder that was there. */
  readonly rootKeys: ReadonlyMap<string, string>;
  readonly links: readonly SeenLink[];
  /** By path of a skill: the links that lead to it too. */
  readonly places: ReadonlyMap<string, readonly string[]>;
}

interface CollectOptions {
  readonly projectRoot: string;
  readonly trusted: boolean;
  readonly cache: string | null;
  /** Trees of the last snapshot, newer than any index. */
  readonly known?: ReadonlyMap<string, Tree> | undefined;
  /** Only these folders of the known trees can have changed. */
  readonly changed?: ReadonlySet<string> | undefined;
  readonly onProgress?: ((folders: number) => void) | undefined;
}

/** A tree to scan: a root, or the target of a link. */
interface Job extends ScanOptions {
  readonly root: Root;
}

interface ResolvedLink extends Destination {
  readonly job: Job;
  readonly link: Link;
}

/** Scans all roots, then follows their links; each real folder once. */
export async function collect(given: FoundRoots, options: CollectOptions): Promise<Collection> {
  const { cache, onProgress } = options;
  const { roots } = given;
  const faults: PlacedFault[] = [...(given.faults ?? [])];
  const found: FoundFile[] = [];
  const trees = new Map<string, Tree>();
  const seenLinks: SeenLink[] = [];
  const again: ResolvedLink[] = [];
  const firstLinks = new Map<string, string>();
  const otherRoots = new Set(roots.flatMap(({ real, leftOut = [] }) => [real, ...leftOut]));
  /** Folders scanned so far; those of trees are added only when a link asks. */
  const seen = new Set<string>();
  const uncounted: Tree[] = [];
  const wasSeen = (stats: Stats): boolean => {
    for (const tree of uncounted.splice(0)) for (const folder of tree.folders) seen.add(folderKey(folder));
    return seen.has(folderKey({ stamps: stampsOf(stats), at: 0 }));
  };
  let earlier: Set<string> | undefined;
  let folders = 0;

  const look = async (job: Job, isLinked: boolean): Promise<Link[]> => {
    const { root } = job;
    const key = keyOf(job);
    const name = `${hash("sha256", key, "hex").slice(0, 32)}.idx`;
    const file = cache === null ? null : join(cache, "catalog", name);
    const before = options.known?.get(key);
    const known = before ?? (file ? loadIndex(file, job.top) : null);
    const sofar = folders;
    const tree = await scanTree(job, known, {
      onProgress: onProgress && ((count) => onProgress(sofar + count)),
      changed: before && options.changed,
    });
    folders += tree.folders.length;
    // An index of a small linked tree saves nothing, and a server does not write one for each edit.
    const isWorthSaving = tree !== known && !before && (!isLinked || tree.folders.length > 64);
    const fault = file && isWorthSaving ? saveIndex(file, tree) : undefined;
    trees.set(key, tree);
    // One report is enough.
    if (file && fault && !faults.some((one) => one.fault.fault === "INDEX"))
      faults.push({ path: dirname(file), fault });
    // Roots do not overlap, so only a link can lead to what was found before.
    if (isLinked) earlier ??= new Set(found.map(({ file: { path } }) => path));
    const agents = new Map(
      tree.folders.filter(({ agent }) => agent).map(({ parent, agent }) => [parent, agent]),
    );
    await inTurns(tree.folders, (folder) => {
      const { path, skill, stamps, at, faults: ownFaults, agent } = folder;
      for (const own of agent?.faults ?? []) faults.push({ path: join(path, AGENT_FILE), fault: own });
      for (const own of ownFaults) faults.push({ path: placeOf(own, path), fault: own });
      if (!skill || earlier?.has(skill.path)) return;
      earlier?.add(skill.path);
      const more = agents.get(folder)?.facts;
      const file = more ? { ...skill, facts: { ...skill.facts, ...more } } : skill;
      found.push({ root, file, stamps, at: at + 5 });
    });
    uncounted.push(tree);
    return linksOf(tree, root.dialect);
  };

  // Before the scan, so that a later change is noticed the next time.
  const onDisk = roots.filter(({ files }) => !files);
  const rootKeys = new Map(onDisk.map(({ real }) => [real, rootKey(real)]));
  for (const root of roots) if (root.files) found.push(...(await skillsInCode(root, root.files)));
  let jobs = onDisk
    .filter((root) => mayLookIn(root, options, faults))
    .map((root): Job => {
      const { dialect, real: top, bareIsLily: bareChildren } = root;
      const place = { folder: basename(top), dialect, bareIsLily: false };
      const topMayBeSkill = DIALECTS[dialect].looksIn === "tree";
      return { root, top, place, bareChildren, topMayBeSkill, otherRoots };
    });
  for (let isLinked = false; jobs.length > 0; isLinked = true) {
    const links: ResolvedLink[] = [];
    for (const job of jobs)
      for (const link of await look(job, isLinked))
        links.push({ job, link, ...resolveLink(link, job.root, options.trusted) });
    jobs = [];
    // Of several links to one folder, the one with the folder's name comes first.
    const isNamesake = ({ link, target }: ResolvedLink): boolean =>
      target !== undefined && basename(target.real) === link.name;
    links.sort((a, b) => Number(isNamesake(b)) - Number(isNamesake(a)));
    for (const resolved of links) {
      const { job, link, target, mayFollow, fault, seen: state } = resolved;
      const { root, bareChildren } = job;
      const { dialect } = root;
      const folder = target?.stats.isDirectory() ? target.real : undefined;
      seenLinks.push({ path: link.path, seen: state, folder });
      if (folder !== undefined && target && wasSeen(target.stats)) {
        again.push(resolved);
        continue;
      }
      if (fault) faults.push({ path: link.path, fault });
      if (!target || !mayFollow) continue;
      const { real: top, stats } = target;
      if (folder !== undefined) {
        seen.add(folderKey({ stamps: stampsOf(stats), at: 0 }));
        firstLinks.set(folder, link.path);
        const names = { folder: link.name, realFolder: basename(top) };
        const place = { ...names, dialect, bareIsLily: bareChildren && link.depth === 0 };
        jobs.push({ root, top, place, bareChildren: false, topMayBeSkill: true, otherRoots });
      } else {
        const bareIsLily = bareChildren && link.depth === 1;
        // The skill is where the link is; its text is where the link leads.
        const { parseYaml } = await import("../skill/yaml/yaml-profile.ts");
        const place = { folder: basename(dirname(link.path)), dialect, bareIsLily };
        const { skill } = readSkillAt(top, place, parseYaml);
        const file = { ...skill, path: link.path, id: skillId(link.path) };
        found.push({ root, file, stamps: stampsOf(stats), at: 0, target: top });
      }
    }
  }

  const places = placesOf(again, firstLinks, found, faults);
  const order = new Map(roots.map((root, index) => [root, index]));
  found.sort(
    (a, b) => (order.get(a.root) ?? 0) - (order.get(b.root) ?? 0) || compareText(a.file.path, b.file.path),
  );
  faults.sort((a, b) => compareText(a.path, b.path));
  return { found, faults, trees, rootKeys, links: seenLinks, places };
}

async function skillsInCode(root: Root, files: CodeFiles): Promise<FoundFile[]> {
  const { parseYaml } = await import("../skill/yaml/yaml-profile.ts");
  return [...files].flatMap(([path, bytes]) => {
    if (basename(path) !== "SKILL.md") return [];
    const place = { folder: basename(dirname(path)), dialect: root.dialect, bareIsLily: false };
    const file = { ...ownTexts(readSkillText(bytes, place, parseYaml).reading), path, id: skillId(path) };
    return [{ root, file, stamps: UNKNOWN, at: 0 }];
  });
}

/** Links to folders that were found before. Installers link one skill into several clients' folders, so that is no fault. */
function placesOf(
  again: readonly ResolvedLink[],
  firstLinks: ReadonlyMap<string, string>,
  found: readonly FoundFile[],
  faults: PlacedFault[],
): Map<string, string[]> {
  const places = new Map<string, string[]>();
  if (again.length === 0) return places;
  const known = new Set(found.map(({ file }) => file.path));
  for (const { job, link, target, fault, mayFollow } of again) {
    const folder = target?.real ?? "";
    const skill = join(folder, "SKILL.md");
    const isKnown = known.has(skill);
    const isOfClient = job.root.client !== undefined;
    if (fault && !(isOfClient && isKnown)) faults.push({ path: link.path, fault });
    if (!isKnown || !(isOfClient || mayFollow)) continue;
    const first = firstLinks.get(folder);
    const list = places.get(skill) ?? (first === undefined ? [] : [join(first, "SKILL.md")]);
    list.push(join(link.path, "SKILL.md"));
    places.set(skill, list);
  }
  return places;
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
  const message = `This root is a link to ${root.real}, outside the project.`;
  if (!options.trusted)
    report("PATH_ESCAPE", `${message} It is not followed until you trust the project (knack trust).`);
  else if (!root.explicit) report("SYMLINK", message);
  return options.trusted;
}

function keyOf({ top, place, bareChildren, topMayBeSkill, otherRoots }: ScanOptions): string {
  // All paths are canonical, so comparing their beginnings is enough.
  const below = top.endsWith(sep) ? top : top + sep;
  const nested = [...otherRoots].filter((root) => root.startsWith(below)).sort();
  const { folder, dialect, bareIsLily } = place;
  return JSON.stringify([top, folder, dialect, bareIsLily, bareChildren, topMayBeSkill, nested]);
}

/** A missing or misnamed file is reported at the path where it should be. */
function placeOf({ fault }: Fault, folder: string): string {
  return fault === "SKILL_MISSING" || fault === "FILE_NAME" ? join(folder, "SKILL.md") : folder;
}
