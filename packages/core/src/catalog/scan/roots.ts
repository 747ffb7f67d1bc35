import { existsSync, lstatSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import {
  CLIENT_FOLDERS,
  CLIENT_IDS,
  type ClientFolders,
  type ClientId,
  chosenClients,
} from "../../config/client-folders.ts";
import type { Config, ConfiguredRoot } from "../../config/config.ts";
import type { PlacedFault } from "../../shared/diagnostics.ts";
import { KnackError, systemCode } from "../../shared/errors.ts";
import { canonical } from "../../shared/paths.ts";
import { quote } from "../../shared/quote.ts";
import { DIALECT_NAMES, type DialectName } from "../../skill/dialects.ts";
import type { SkillScope } from "../../skill/schema.ts";
import {
  brokenPluginFiles,
  type ClientFolder,
  extensionFolders,
  pluginFolders,
  projectFolders,
  signsOfMore,
  userFolders,
} from "../clients.ts";

/** A folder in which to look for skills, and how to read what is there. */
export interface Root {
  /** As it was named, absolute. */
  readonly path: string;
  /** With every link resolved; equal to `path` where the folder does not exist. */
  readonly real: string;
  readonly scope: SkillScope;
  readonly dialect: DialectName;
  /** In `skills/`: a direct child with neither name nor description is read as `lily`. */
  readonly bareIsLily: boolean;
  /** A folder that somebody named; it is an error if it does not exist. */
  readonly explicit: boolean;
  /** Whether it comes with the project, so that it may leave the project only with the user's trust. */
  readonly ofProject: boolean;
  /** Folders between it and the working directory; user and bundled roots are farthest. */
  readonly distance: number;
  /** Whose folder it is, if not Knack's own. */
  readonly client?: ClientId;
  /** The plugin whose skills these are: they are called `plugin:name`. */
  readonly plugin?: string;
  /** A client installs, updates and removes what is in it. */
  readonly isManaged?: boolean;
  /** Folders in it that are not searched: skills that the client brings for itself. */
  readonly leftOut?: readonly string[];
  /** Other roots that are links to this one. */
  readonly also?: readonly string[];
  /** Its files, where a program gave them and nothing is on the disk. */
  readonly files?: CodeFiles;
}

export type CodeFiles = ReadonlyMap<string, Buffer>;

export interface RootPlace {
  readonly cwd: string;
  readonly projectRoot: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Then its settings of other clients count too. */
  readonly trusted: boolean;
}

export interface FoundRoots {
  readonly roots: readonly Root[];
  /** Every path that was looked at; `undefined` where plugins or extensions name more. */
  readonly places: readonly string[] | undefined;
  /** Clients' files that could not be read. */
  readonly faults?: readonly PlacedFault[];
}

/** In catalog order: Knack's own roots, the clients' in the project, the clients' in the home. */
export function defaultRoots(
  place: RootPlace,
  { roots: configured, clients }: Pick<Config["skills"], "roots" | "clients">,
): FoundRoots {
  const { cwd, projectRoot, home, env } = place;
  const root = (path: string, scope: SkillScope, dialect: DialectName, explicit: boolean): Root =>
    makeRoot({ path, scope, dialect, ofProject: !explicit && scope === "repo" }, cwd, explicit);

  const explicit: Root[] = configured.map((entry) => makeRoot(entry, cwd, !entry.optional));
  const fromEnvironment: [string, SkillScope][] = [
    ["SKILLS_WORKSPACE_DIR", "repo"],
    ["SKILLS_USER_DIR", "user"],
    ["SKILLS_BUNDLED_DIR", "bundled"],
  ];
  for (const [name, scope] of fromEnvironment) {
    const path = env[name];
    if (path) explicit.push(root(resolve(cwd, path), scope, "lily", true));
  }

  const folders = foldersBetween(projectRoot, cwd);
  const chain = folders.map((dir) => root(join(dir, ".agents", "skills"), "repo", "agentskills", false));
  const project = { ...root(join(projectRoot, "skills"), "repo", "project", false), bareIsLily: true };
  const user = root(join(home, ".agents", "skills"), "user", "agentskills", false);
  const ofClient =
    (scope: SkillScope) =>
    ({ path, client, plugin, isManaged }: ClientFolder): Root => {
      const made = root(path, scope, "agentskills", false);
      const { builtIn }: ClientFolders = CLIENT_FOLDERS[client];
      const leftOut = builtIn === undefined ? undefined : [join(made.real, builtIn)];
      return { ...made, client, plugin, isManaged, leftOut };
    };
  const chosen = chosenClients(clients);
  const ofProject = projectFolders(chosen, folders);
  const ofUser = userFolders(chosen, place);
  const signs = signsOfMore(chosen, place);
  const hasMore = signs.some((path) => existsSync(path));
  const more = hasMore ? [...extensionFolders(chosen, cwd, place), ...pluginFolders(chosen, place)] : [];
  const inProject = ofProject.filter(isThere).map(ofClient("repo"));
  const inHome = [...ofUser.filter(isThere), ...more].map(ofClient("user"));
  // The user's root first: a working directory in the home folder does not make it the project's.
  const unique = new Map<string, Root>();
  for (const candidate of [...explicit, user, ...chain, project, ...inHome, ...inProject]) {
    const same = unique.get(candidate.real);
    if (!same) unique.set(candidate.real, candidate);
    else if (candidate.path !== same.path)
      unique.set(same.real, { ...same, also: [...(same.also ?? []), candidate.path] });
  }
  const order = [...chain, project, ...explicit, user, ...inProject, ...inHome].map(({ real }) => real);
  const looked = [...explicit, ...chain, project, user, ...ofProject, ...ofUser].map(({ path }) => path);
  return {
    roots: [...new Set(order)].flatMap((real) => unique.get(real) ?? []),
    places: hasMore ? undefined : [...signs, ...looked],
    faults: hasMore ? brokenPluginFiles(chosen, place) : [],
  };
}

function isThere({ path }: ClientFolder): boolean {
  return existsSync(path);
}

/** The folders of all clients that exist here, whether or not they are searched. */
export function listClientFolders(place: RootPlace): ClientFolder[] {
  const folders = foldersBetween(place.projectRoot, place.cwd);
  return [
    ...[...projectFolders(CLIENT_IDS, folders), ...userFolders(CLIENT_IDS, place)].filter(isThere),
    ...extensionFolders(CLIENT_IDS, place.cwd, place),
    ...pluginFolders(CLIENT_IDS, place),
  ];
}

export function givenRoots(roots: readonly GivenRoot[], cwd: string): FoundRoots {
  const made = roots.map(({ path, scope = "repo", dialect = "agentskills", files }): Root => {
    if (typeof path !== "string") throw new KnackError("INVALID_PARAM", "A root needs a path.");
    if (!["repo", "user", "bundled"].includes(scope))
      throw new KnackError("INVALID_PARAM", `Unknown scope ${quote(scope)}.`);
    if (!DIALECT_NAMES.includes(dialect))
      throw new KnackError("INVALID_PARAM", `Unknown dialect ${quote(dialect)}.`);
    if (!files) return makeRoot({ path: resolve(cwd, path), scope, dialect, ofProject: false }, cwd, true);
    const given = { path, real: path, scope, dialect, files, bareIsLily: false, distance: 0 };
    return { ...given, explicit: true, ofProject: false };
  });
  const unique = new Map(made.map((root) => [root.real, root]));
  return { roots: [...unique.values()], places: made.filter((root) => !root.files).map(({ path }) => path) };
}

export interface GivenRoot {
  readonly path: string;
  readonly scope?: SkillScope;
  readonly dialect?: DialectName;
  /** @internal What is in it, where nothing is on the disk. */
  readonly files?: CodeFiles;
}

function makeRoot(root: ConfiguredRoot, cwd: string, explicit: boolean): Root {
  const { path, scope, dialect, ofProject } = root;
  const distance = scope === "repo" ? distanceTo(path, cwd) : scope === "user" ? 1e6 : 2e6;
  return { path, real: canonical(path), scope, dialect, bareIsLily: false, explicit, ofProject, distance };
}

/** The project root, then each folder on the way down to the working directory. */
function foldersBetween(projectRoot: string, cwd: string): string[] {
  const folders = [cwd];
  for (let dir = cwd; dir !== projectRoot && dir !== dirname(dir); ) {
    dir = dirname(dir);
    folders.unshift(dir);
  }
  return folders;
}

/** Steps from the working directory up to the folder that holds the root. */
function distanceTo(path: string, cwd: string): number {
  const isHidden = basename(dirname(path)).startsWith(".");
  return relative(isHidden ? dirname(dirname(path)) : dirname(path), cwd)
    .split(sep)
    .filter((step) => step !== "" && step !== "..").length;
}

/** Which folder is at a real path; the error code where none is. */
export function rootKey(real: string): string {
  try {
    const { dev, ino, mode } = lstatSync(real);
    return `${dev}:${ino}:${mode}`;
  } catch (error) {
    return systemCode(error);
  }
}
