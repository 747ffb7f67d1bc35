import { existsSync, lstatSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Catalog } from "@knack/core";
import { fullPath, isValidName } from "@knack/core/catalog";
import { findProject, homeFolder, knackHome } from "@knack/core/config";
import { canonical, isInside, lookAtOwn, refusalText } from "@knack/core/files";
import {
  compareDigest,
  digestSkill,
  type FileChange,
  type LockedSkill,
  type LockPlace,
  lockedAt,
  lockFolder,
  projectLock,
  type SkillLock,
  userLock,
} from "@knack/core/lock";
import { KnackError, quote } from "@knack/core/text";
import { openProject } from "../host/open-project.ts";
import { conflict, type GlobalOptions, notFound } from "../options.ts";
import { andMore } from "../terminal/visible.ts";

/** Where skills are installed: in a project, or for the user in every project. */
export interface InstallPlace {
  readonly scope: "project" | "user";
  readonly base: string;
  /** The skills are folders in this folder; its real path. */
  readonly skillsFolder: string;
  readonly lock: LockPlace;
  /** Where new skills wait for their rename, on the file system of the skills. */
  readonly stage: string;
  /** Where it is written what is about to be renamed. */
  readonly journals: string;
  readonly scratch: string;
  readonly kept: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

export function installPlace(options: { readonly cwd?: string; readonly user?: boolean }): InstallPlace {
  const env = process.env;
  const home = homeFolder(env);
  const user = knackHome(env, home);
  const base = options.user ? canonical(home) : findProject({ cwd: options.cwd ?? process.cwd(), home, env });
  const skillsFolder = canonical(join(base, ".agents", "skills"));
  if (!options.user && !isInside(skillsFolder, base))
    throw conflict(
      `${join(base, ".agents", "skills")} is a link that leads out of the project; nothing was written. Use --user for skills of yours.`,
    );
  requireFolder(skillsFolder);
  const stage = options.user ? join(user, "install") : join(base, ".knack", "install");
  // A stranger's project could have a link where Knack writes.
  const found = options.user ? undefined : lookAtOwn(base, join(stage, "any"));
  if (found?.kind === "refused") throw new KnackError("CONFIG_INVALID", refusalText(found));
  return {
    scope: options.user ? "user" : "project",
    base,
    skillsFolder,
    lock: options.user ? userLock({ home, env }) : projectLock(base, { home, env }),
    stage,
    journals: join(user, "journals"),
    scratch: join(user, "scratch"),
    kept: join(user, "kept"),
    home,
    env,
  };
}

/** A file where a folder must be would end a command with an error of the system. */
export function requireFolder(folder: string): void {
  const file = fileInWayOf(folder);
  if (file !== undefined)
    throw conflict(`${file} is not a folder; nothing was changed. Move it away, then try again.`);
}

/** The path itself, or the nearest folder above it that is there. */
export function existingPart(path: string): string {
  let existing = path;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  return existing;
}

export function fileInWayOf(folder: string): string | undefined {
  const existing = existingPart(folder);
  return statSync(existing, { throwIfNoEntry: false })?.isDirectory() === false ? existing : undefined;
}

/** The folder of a skill, and what its lock calls it. */
export function skillFolder(place: InstallPlace, name: string) {
  const dir = join(place.skillsFolder, name);
  const folder = lockFolder(place.lock, place.skillsFolder);
  return { dir, folder: folder === undefined ? dir : `${folder}/${name}` };
}

export type LocalState =
  /** Nothing, or a folder without files; of that the digest. */
  | { readonly kind: "absent"; readonly locked?: LockedSkill; readonly digest?: string }
  | { readonly kind: "clean"; readonly locked: LockedSkill; readonly digest: string }
  | {
      readonly kind: "changed";
      readonly locked: LockedSkill;
      readonly digest: string;
      readonly changes: readonly FileChange[];
    }
  /** In no lock: somebody's own. */
  | { readonly kind: "unlocked"; readonly digest: string }
  | { readonly kind: "link"; readonly locked?: LockedSkill };

export async function localState(place: InstallPlace, lock: SkillLock, name: string): Promise<LocalState> {
  const { dir, folder } = skillFolder(place, name);
  const locked = lockedAt(lock, folder);
  const known = locked ? { locked } : {};
  const stats = lstatSync(dir, { throwIfNoEntry: false });
  if (!stats) return { kind: "absent", ...known };
  if (stats.isSymbolicLink()) return { kind: "link", ...known };
  if (!stats.isDirectory())
    throw conflict(`${dir} is not a folder; nothing was changed. Move it away, then try again.`);
  const now = await digestSkill(dir);
  if (now.files.size === 0) return { kind: "absent", ...known, digest: now.sha256 };
  if (!locked) return { kind: "unlocked", digest: now.sha256 };
  const changes = compareDigest(locked, now);
  if (changes.length === 0) return { kind: "clean", locked, digest: now.sha256 };
  return { kind: "changed", locked, digest: now.sha256, changes };
}

/** The digest of the files that are there, which a step compares again; a link has none. */
export const digestBefore = (state: LocalState): string | null =>
  "digest" in state ? (state.digest ?? null) : null;

/** Whether a skill has files that no source can give back. */
export function isEndangered(state: LocalState, incoming?: string): boolean {
  if (state.kind === "unlocked" || state.kind === "changed") return state.digest !== incoming;
  return state.kind === "link";
}

/** Local changes are never lost: without `--force` nothing happens, with it a copy is kept. */
export function refuseChanges(
  place: InstallPlace,
  skills: readonly { readonly name: string; readonly state: LocalState }[],
  force = false,
): void {
  if (force || skills.length === 0) return;
  const lines = skills.map(({ name, state }) => `- ${skillFolder(place, name).dir} ${whyOf(state)}`);
  throw conflict(
    `Your files would be lost, so nothing was changed.\n${lines.join("\n")}\nUse --force to go on; a copy is kept.`,
  );
}

function whyOf(state: LocalState): string {
  if (state.kind === "link") return "is a link.";
  if (state.kind !== "changed") return "is not in skills.lock.";
  const files = state.changes.map(({ path }) => path || "the folder");
  return `has local changes (${andMore(files, 3)}).`;
}

/**
 * The names of the installed skills that are meant: a folder's name or path, also of a skill that is not valid, and everything
 * that `knack load` takes. What means none stays as it is, for the message of the command.
 */
export async function meantNames(
  place: InstallPlace,
  lock: SkillLock,
  references: readonly string[],
  options: GlobalOptions,
): Promise<string[]> {
  const here = new Map(references.map((given) => [given, namedHere(place, lock, given, options.cwd)]));
  const isAllHere = [...here.values()].every((name) => name !== undefined);
  const catalog = isAllHere ? undefined : await openProject(options).catalog();
  return references.map((given) => here.get(given) ?? nameIn(catalog, given, place) ?? given);
}

function nameIn(catalog: Catalog | undefined, given: string, place: InstallPlace): string | undefined {
  const skill = skillOf(catalog, given);
  if (skill === undefined) return undefined;
  const places = skill.places?.map((file) => dirname(file)) ?? [skill.dir];
  const dir = places.find((one) => dirname(one) === place.skillsFolder);
  if (dir !== undefined) return basename(dir);
  const how = skill.scope === "user" && place.scope === "project" ? " Your own skills need --user." : "";
  throw notFound(`${quote(given)} is ${skill.dir}, which is not in ${place.skillsFolder}.${how}`);
}

function skillOf(catalog: Catalog | undefined, given: string) {
  try {
    return catalog?.resolveEntry(given, { includeInactive: true }).skill;
  } catch (error) {
    if (error instanceof KnackError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

function namedHere(place: InstallPlace, lock: SkillLock, given: string, cwd = "."): string | undefined {
  const isHere = (dir: string): boolean => lstatSync(dir, { throwIfNoEntry: false }) !== undefined;
  if (isValidName(given)) {
    const { dir, folder } = skillFolder(place, given);
    if (isHere(dir) || lockedAt(lock, folder)) return given;
  }
  const path = fullPath(given, { cwd: resolve(cwd), home: place.home });
  const dir = basename(path) === "SKILL.md" ? dirname(path) : path;
  return canonical(dirname(dir)) === place.skillsFolder && isHere(dir) ? basename(dir) : undefined;
}
