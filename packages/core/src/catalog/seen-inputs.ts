import { isDeepStrictEqual } from "node:util";
import { stampOf } from "../shared/file-stamp.ts";
import { defaultRoots, type Root, type RootPlace, rootKey } from "./scan/roots.ts";
import type { CatalogSettings } from "./settings.ts";
import { isSetIn } from "./snapshot.ts";
import type { Taken } from "./take-snapshot.ts";
import { type Folder, isSkillFolder, type Tree } from "./tree.ts";
import { hasProgram } from "./unwatched-inputs.ts";

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
  { roots, collection, asked }: Taken,
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
    seen.variables.every(([name, isSet]) => isSetIn(env, name) === isSet) &&
    seen.programs.every(([name, isThere]) => hasProgram(name, env) === isThere)
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
