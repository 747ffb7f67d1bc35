import { existsSync, readlinkSync, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { systemCode } from "../shared/errors.ts";
import { stampOf } from "../shared/file-stamp.ts";
import { type SeenLink, seenAt } from "./scan/links.ts";
import { type Root, rootKey } from "./scan/roots.ts";
import { binaryLookup, isSetIn } from "./snapshot.ts";
import type { Tree } from "./tree.ts";

/** What a snapshot depends on beside the folders with skills, as the look saw it that made the snapshot. */
export interface UnwatchedView {
  readonly findRoots: () => readonly Root[];
  readonly placesOfRoots: () => readonly string[] | undefined;
  readonly roots: readonly Root[];
  /** By real path of a root: which folder was there. */
  readonly rootKeys: ReadonlyMap<string, string>;
  readonly links: readonly SeenLink[];
  readonly trees: Iterable<Tree>;
  readonly env: NodeJS.ProcessEnv;
  /** Variables that skills ask for, and whether they were set. */
  readonly variables: ReadonlyMap<string, boolean>;
  /** Programs that skills ask for, and whether they were there. */
  readonly binaries: ReadonlyMap<string, boolean>;
  readonly searchPath: string;
  /** Registry files that were read for their names, with their stamp from before. */
  readonly registry: StampedFiles | undefined;
  /** Locks that skills were checked against. */
  readonly locks: StampedFiles | undefined;
}

interface StampedFiles {
  readonly files: readonly string[];
  readonly stamp: string;
}

/**
 * Inputs of a snapshot that no folder watcher sees: roots that come or are replaced, targets of links, programs,
 * variables, registry files. Costs a few looks at time stamps.
 */
export class UnwatchedInputs {
  readonly #view: UnwatchedView;
  #links: readonly SeenLink[] | undefined;
  #programs: StampedFiles | undefined;
  #rootFolders: StampedFiles | undefined;

  constructor(view: UnwatchedView) {
    this.#view = view;
  }

  isSame(): boolean {
    return (
      this.#hasSameRoots() &&
      this.#hasSameEnvironment() &&
      isSame(this.#view.registry) &&
      isSame(this.#view.locks) &&
      this.#hasSameLinks()
    );
  }

  #hasSameRoots(): boolean {
    const known = this.#rootFolders;
    if (known && stampOf(known.files) === known.stamp) return true;
    const { roots, rootKeys, findRoots, placesOfRoots } = this.#view;
    // The stamp is older than the look: a change in between differs from it the next time.
    const files = nearestFolders(placesOfRoots());
    const stamp = files ? stampOf(files) : "";
    const now = findRoots();
    const isSame =
      now.length === roots.length &&
      now.every(({ path, real }, i) => path === roots[i]?.path && real === roots[i]?.real) &&
      [...rootKeys].every(([real, key]) => rootKey(real) === key);
    this.#rootFolders = isSame && files && stamp !== "" ? { files, stamp } : undefined;
    return isSame;
  }

  #hasSameEnvironment(): boolean {
    const { env, variables, binaries, searchPath } = this.#view;
    if ([...variables].some(([name, isSet]) => isSetIn(env, name) !== isSet)) return false;
    return binaries.size === 0 || ((env.PATH ?? "") === searchPath && this.#hasSamePrograms());
  }

  /** Folders tell what came and went; of files that are there, whether they can be executed now. */
  #hasSamePrograms(): boolean {
    const { env, binaries } = this.#view;
    if (!this.#programs) {
      const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
      const candidates = [...binaries.keys()].flatMap((name) => folders.map((folder) => join(folder, name)));
      const files = [...folders, ...candidates.filter(isThere)];
      // The stamp is of now; it stands for the snapshot if a look gives the same answers after it was taken.
      const stamp = stampOf(files);
      const has = binaryLookup(env, process.platform);
      if (stamp === "" || [...binaries].some(([name, found]) => has(name) !== found)) return false;
      this.#programs = { files, stamp };
      return true;
    }
    return stampOf(this.#programs.files) === this.#programs.stamp;
  }

  #hasSameLinks(): boolean {
    this.#links ??= this.#linksToCheck();
    return this.#links.every(({ path, seen }) => seen !== "" && seenAt(path) === seen);
  }

  /** Without those that lead straight to a folder whose parent is watched: that one tells. */
  #linksToCheck(): readonly SeenLink[] {
    const { links, trees } = this.#view;
    if (links.length === 0) return links;
    const watched = new Set<string>();
    for (const tree of trees) for (const { path } of tree.folders) watched.add(path);
    return links.filter(
      ({ path, folder }) =>
        folder === undefined || !watched.has(dirname(folder)) || straightTarget(path) !== folder,
    );
  }
}

function isSame(seen: StampedFiles | undefined): boolean {
  return !seen || (seen.stamp !== "" && stampOf(seen.files) === seen.stamp);
}

function isLink(path: string): boolean {
  return straightTarget(path) !== undefined;
}

function straightTarget(link: string): string | undefined {
  try {
    return resolve(dirname(link), readlinkSync(link));
  } catch (error) {
    systemCode(error);
    return undefined; // It is another by now; the look finds out.
  }
}

function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/**
 * The folders whose stamps tell that none of these places came, went or was replaced: each place itself, or the nearest
 * folder above it that is there. `undefined` where one is a link to nowhere, which no folder tells of.
 */
function nearestFolders(places: readonly string[] | undefined): readonly string[] | undefined {
  if (!places) return undefined;
  const nearest = new Set<string>();
  for (const place of places) {
    let at = place;
    while (!existsSync(at) && at !== dirname(at)) {
      if (isLink(at)) return undefined;
      at = dirname(at);
    }
    nearest.add(at);
  }
  return [...nearest];
}
