import { isInside } from "../shared/paths.ts";
import { type Collection, collect, type FoundFile } from "./collect.ts";
import { type Asked, hasProgram, stamped, unwatchedInputs } from "./inputs.ts";
import type { Root } from "./scan/roots.ts";
import type { CatalogSettings } from "./settings.ts";
import { type Entry, isSetIn, type Machine, makeSnapshot, type Snapshot } from "./snapshot.ts";
import { isSameTree, markOf } from "./tree.ts";
import { typedSkillNames } from "./typed-skill-names.ts";

const OWN_TOOLS = ["skill_search", "skill_load", "Skill", "skill_read_file"];

export interface Taken {
  readonly roots: readonly Root[];
  readonly collection: Collection;
  readonly snapshot: Snapshot;
  /** With the skills that wait for trust, as their user sees it. */
  readonly whole: Snapshot;
  /** Whether what no folder watcher sees is unchanged. */
  readonly hasSameUnwatchedInputs: () => boolean;
  readonly asked: Asked;
}

export interface Before {
  readonly collection: Collection;
  /** Only these folders can have changed. */
  readonly changed?: ReadonlySet<string> | undefined;
}

export async function takeSnapshot(settings: CatalogSettings, before?: Before): Promise<Taken> {
  const { place, config, userConfig } = settings;
  const foundRoots = settings.findRoots();
  const { roots } = foundRoots;
  const collection = await collect(settings.enabled ? foundRoots : { roots: [], places: [] }, {
    ...place,
    known: before?.collection.trees,
    changed: before?.changed,
    onProgress: settings.onProgress,
  });
  const offered = settings.withoutProject ? withoutProject(collection, roots) : collection;
  const { machine, asked } = await makeMachine(settings, collection);
  const isLocked = config.skills.locked || userConfig.skills.locked;
  // Most catalogs have no use for locks and do not load them.
  const locks = isLocked
    ? await (await import("./lock-check.ts")).lockCheck(settings, collection)
    : undefined;
  const snapshot = await makeSnapshot(offered, settings, machine, locks?.faultOf);
  const whole =
    offered === collection ? snapshot : await makeSnapshot(collection, settings, machine, locks?.faultOf);
  const files = [...asked.files, locks?.read ?? []].flat();
  const hasSameUnwatchedInputs = unwatchedInputs(settings, foundRoots, collection, { ...asked, files });
  return { roots, collection, snapshot, whole, hasSameUnwatchedInputs, asked };
}

async function makeMachine({ env, config, tools }: CatalogSettings, { found }: Collection) {
  let isToolNamed = false;
  const variables = new Map<string, boolean>();
  for (const { file } of found) {
    if (!file.facts) continue;
    isToolNamed ||= (file.facts.commandTool ?? file.facts.requiresTools) !== undefined;
    for (const name of file.facts.eligibility?.env ?? []) variables.set(name, isSetIn(env, name));
  }
  // The registry is read only if a skill names a tool.
  const files = isToolNamed ? [stamped(config.registry)] : [];
  const typed = isToolNamed ? await typedSkillNames(config.registry) : [];
  // A thousand skills that need `git` ask the disk once.
  const binaries = new Map<string, boolean>();
  const hasBinary = (name: string): boolean => {
    const isThere = binaries.get(name) ?? hasProgram(name, env);
    binaries.set(name, isThere);
    return isThere;
  };
  const commandTools = new Set([...OWN_TOOLS, ...tools, ...typed]);
  const machine: Machine = { env, commandTools, hasBinary };
  return { machine, asked: { variables, binaries, files } };
}

function withoutProject(collection: Collection, roots: readonly Root[]): Collection {
  const ofProject = roots.filter(({ scope }) => scope === "repo").map(({ real }) => real);
  return {
    ...collection,
    found: collection.found.filter(({ root }) => root.scope !== "repo"),
    faults: collection.faults.filter(({ path }) => !ofProject.some((root) => isInside(path, root))),
  };
}

export function hasSameTexts(before: Collection, now: Collection): boolean {
  for (const [key, tree] of now.trees) {
    const known = before.trees.get(key);
    if (!known || !isSameTree(known, tree)) return false;
  }
  return linked(before.found) === linked(now.found);
}

function linked(found: readonly FoundFile[]): string {
  return found.flatMap((one) => (one.target ? [one.file.path, one.target, markOf(one)] : [])).join("\n");
}

/** Whether programs, links and tools led to the same states. */
export function hasSameStates(before: Snapshot, now: Snapshot): boolean {
  const isSame = ({ status, reason, skill }: Entry, place: number): boolean => {
    const other = now.entries[place];
    return (
      other?.status === status &&
      other.reason === reason &&
      other.skill.places?.join("\n") === skill.places?.join("\n")
    );
  };
  return (
    before.entries.length === now.entries.length &&
    before.entries.every(isSame) &&
    JSON.stringify([before.errors, before.warnings]) === JSON.stringify([now.errors, now.warnings])
  );
}
