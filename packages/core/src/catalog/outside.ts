import { readlinkSync, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { systemCode } from "../shared/errors.ts";
import { binaryLookup, isSetIn } from "./eligibility.ts";
import { stampOf } from "./file-stamp.ts";
import type { Tree } from "./index/tree.ts";
import { type SeenLink, seenAt } from "./scan/links.ts";
import { type Root, rootKey } from "./scan/roots.ts";

/** What a snapshot depends on beside the folders with skills, as the look saw it that made the snapshot. */
export interface OutsideView {
  readonly findRoots: () => readonly Root[];
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
 * Whether all that is as it was which no watched folder tells of: roots that come or are replaced, targets of links, programs,
 * variables, registry files. Costs a few looks at time stamps.
 */
export class Outside {
  readonly #view: OutsideView;
  #links: readonly SeenLink[] | undefined;
  #programs: StampedFiles | undefined;

  constructor(view: OutsideView) {
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
    const { roots, rootKeys, findRoots } = this.#view;
    const now = findRoots();
    return (
      now.length === roots.length &&
      now.every(({ path, real }, i) => path === roots[i]?.path && real === roots[i]?.real) &&
      [...rootKeys].every(([real, key]) => rootKey(real) === key)
    );
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
    for (const tree of trees) for (const path of tree.paths) watched.add(path);
    return links.filter(
      ({ path, folder }) =>
        folder === undefined || !watched.has(dirname(folder)) || straightTarget(path) !== folder,
    );
  }
}

function isSame(seen: StampedFiles | undefined): boolean {
  return !seen || (seen.stamp !== "" && stampOf(seen.files) === seen.stamp);
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
