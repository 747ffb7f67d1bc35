import { existsSync, readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { tryOr } from "../shared/errors.ts";
import { stampOf } from "../shared/file-stamp.ts";
import { findProgram } from "../shared/process/find-program.ts";
import type { Collection } from "./collect.ts";
import { type SeenLink, seenAt } from "./scan/links.ts";
import { defaultRoots, type FoundRoots, type Root, type RootPlace, rootKey } from "./scan/roots.ts";
import type { CatalogSettings } from "./settings.ts";
import { isSetIn } from "./snapshot.ts";
import { type Folder, isSkillFolder, type Tree } from "./tree.ts";

/** What a snapshot asked of the machine, and the answers. */
export interface Asked {
  readonly variables: ReadonlyMap<string, boolean>;
  readonly binaries: ReadonlyMap<string, boolean>;
  /** Registries and locks that were read. */
  readonly files: readonly StampedFiles[];
}

export interface StampedFiles {
  readonly files: readonly string[];
  /** Taken before the files were read, so that a change in between is noticed. */
  readonly stamp: string;
}

export function stamped(files: readonly string[]): StampedFiles {
  return { files, stamp: stampOf(files) };
}

function isSame({ files, stamp }: StampedFiles): boolean {
  return stamp !== "" && stampOf(files) === stamp;
}

type Answers = Iterable<readonly [name: string, answer: boolean]>;

function areAsBefore(answers: Answers, now: (name: string) => boolean): boolean {
  return [...answers].every(([name, before]) => now(name) === before);
}

/** A function that tells whether roots, link targets, programs, variables, registries and locks are as before. */
export function unwatchedInputs(
  { findRoots, env }: CatalogSettings,
  found: FoundRoots,
  collection: Collection,
  asked: Asked,
): () => boolean {
  let rootFolders: StampedFiles | undefined;
  let links: readonly SeenLink[] | undefined;

  const hasSameRoots = (): boolean => {
    if (rootFolders && isSame(rootFolders)) return true;
    const folders = nearestFolders(found.places);
    const before = folders && stamped(folders);
    const now = findRoots();
    const isAsBefore =
      now.roots.length === found.roots.length &&
      now.roots.every(
        ({ path, real }, i) => path === found.roots[i]?.path && real === found.roots[i]?.real,
      ) &&
      [...collection.rootKeys].every(([real, key]) => rootKey(real) === key);
    rootFolders = isAsBefore && now.places ? before : undefined;
    return isAsBefore;
  };

  const hasSameEnvironment = (): boolean =>
    areAsBefore(asked.variables, (name) => isSetIn(env, name)) &&
    areAsBefore(asked.binaries, (name) => hasProgram(name, env));

  const hasSameLinks = (): boolean => {
    links ??= linksToCheck(collection);
    return links.every(({ path, seen }) => seen !== "" && seenAt(path) === seen);
  };

  return () => hasSameRoots() && hasSameEnvironment() && asked.files.every(isSame) && hasSameLinks();
}

export function hasProgram(name: string, env: NodeJS.ProcessEnv): boolean {
  return findProgram(name, env) !== undefined;
}

/** Links straight into a watched folder are left out: its watcher tells. */
function linksToCheck({ links, trees }: Collection): readonly SeenLink[] {
  if (links.length === 0) return links;
  const watched = new Set<string>();
  for (const tree of trees.values()) for (const { path } of tree.folders) watched.add(path);
  return links.filter(
    ({ path, folder }) =>
      folder === undefined || !watched.has(dirname(folder)) || straightTarget(path) !== folder,
  );
}

/** Where a link leads by its own text; `undefined` where there is none. */
function straightTarget(link: string): string | undefined {
  return tryOr(() => resolve(dirname(link), readlinkSync(link)), undefined);
}

/** Folders whose stamps tell whether these places changed. `undefined` where one is a broken link, of which no folder tells. */
function nearestFolders(places: readonly string[] | undefined): readonly string[] | undefined {
  if (!places) return undefined;
  const nearest = new Set<string>();
  for (const place of places) {
    let at = place;
    while (!existsSync(at) && at !== dirname(at)) {
      if (straightTarget(at) !== undefined) return undefined;
      at = dirname(at);
    }
    nearest.add(at);
  }
  return [...nearest];
}

/** What a list of skills depends on besides configuration and trust: another process checks it without reading a skill. */
export interface SeenInputs {
  readonly choice: Parameters<typeof defaultRoots>[1];
  readonly roots: readonly (readonly [path: string, real: string, key: string])[];
  readonly variables: readonly (readonly [string, boolean])[];
  readonly programs: readonly (readonly [string, boolean])[];
  readonly files: readonly string[];
  readonly stamp: string;
}

/** Folders in which skills can come or go; of more, only the first are checked. */
const MAX_FOLDERS = 500;

/** `undefined` where a file is so fresh that its next change could keep the time stamp. */
export function seenInputs(
  { config }: Pick<CatalogSettings, "config">,
  { roots, collection, asked }: { roots: readonly Root[]; collection: Collection; asked: Asked },
  skills: readonly string[],
): SeenInputs | undefined {
  const folders = [...collection.trees.values()].flatMap(foldersOfSkills).slice(0, MAX_FOLDERS);
  const files = [...new Set([...config.registry, ...folders, ...skills])];
  const stamp = stampOf(files);
  if (stamp === "") return undefined;
  return {
    choice: { roots: config.skills.roots, clients: config.skills.clients },
    roots: roots.map(markOfRoot),
    variables: [...asked.variables],
    programs: [...asked.binaries],
    files,
    stamp,
  };
}

export function isAsSeen(seen: SeenInputs, place: RootPlace): boolean {
  const { env } = place;
  return (
    stampOf(seen.files) === seen.stamp &&
    isDeepStrictEqual(defaultRoots(place, seen.choice).roots.map(markOfRoot), seen.roots) &&
    areAsBefore(seen.variables, (name) => isSetIn(env, name)) &&
    areAsBefore(seen.programs, (name) => hasProgram(name, env))
  );
}

function markOfRoot({ path, real }: Root): SeenInputs["roots"][number] {
  return [path, real, rootKey(real)];
}

/** Folders outside any skill. */
function foldersOfSkills({ folders }: Tree): string[] {
  const inside = new Set<Folder>();
  const between: string[] = [];
  for (const folder of folders) {
    if (isSkillFolder(folder) || (folder.parent && inside.has(folder.parent))) inside.add(folder);
    else between.push(folder.path);
  }
  return between;
}
