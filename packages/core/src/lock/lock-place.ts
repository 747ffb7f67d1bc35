import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { knackHome } from "../config/load.ts";
import { canonical, isInside } from "../shared/paths.ts";

export interface LockPlace {
  readonly scope: "project" | "user";
  /** `skills.lock` itself. */
  readonly file: string;
  /** The project root, or the user's home folder. */
  readonly base: string;
  /** Where processes wait for each other. */
  readonly userFolder: string;
  /** What it says needs no acceptance: the user's own lock, or `KNACK_TRUST=all`. */
  readonly isBelieved: boolean;
}

interface LockUser {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

export function projectLock(projectRoot: string, { home, env }: LockUser): LockPlace {
  const file = join(projectRoot, "skills.lock");
  return {
    scope: "project",
    file,
    base: projectRoot,
    userFolder: knackHome(env, home),
    isBelieved: env.KNACK_TRUST === "all",
  };
}

export function userLock({ home, env }: LockUser): LockPlace {
  const userFolder = knackHome(env, home);
  return {
    scope: "user",
    file: join(userFolder, "skills.lock"),
    base: canonical(home),
    userFolder,
    isBelieved: true,
  };
}

export function lockPlaces(projectRoot: string, user: LockUser) {
  return { project: projectLock(projectRoot, user), user: userLock(user) };
}

export type LockPlaces = Readonly<ReturnType<typeof lockPlaces>>;

/** The project's for skills inside its folder, the user's for all others. `dir` is a real path. */
export function lockOf(
  skill: { readonly scope: string; readonly dir: string },
  places: LockPlaces,
): LockPlace {
  const isOwn = skill.scope === "repo" && realFolder(places.project, skill.dir) !== undefined;
  return isOwn ? places.project : places.user;
}

/** `undefined` outside the lock's base. */
export function lockFolder(place: LockPlace, dir: string): string | undefined {
  return realFolder(place, canonical(dir));
}

/** For a path without links. */
export function realFolder({ scope, base }: LockPlace, real: string): string | undefined {
  if (real !== base && isInside(real, base)) return relative(base, real).split(sep).join("/");
  return scope === "user" ? real : undefined;
}

export function folderOf({ base }: LockPlace, folder: string): string {
  return isAbsolute(folder) ? folder : resolve(base, folder);
}
