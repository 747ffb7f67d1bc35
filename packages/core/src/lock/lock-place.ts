import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { knackHome } from "../config/load.ts";
import { canonical, isInside } from "../shared/paths.ts";

/** Where a lock is, and what its folders are relative to. */
export interface LockPlace {
  readonly scope: "project" | "user";
  /** `skills.lock` itself. */
  readonly file: string;
  /** The project root, or the user's home folder. */
  readonly base: string;
  /** Where Knack keeps the user's files: two processes that change the lock wait for each other there. */
  readonly userFolder: string;
  /** The user's own lock, or everything of the project is trusted: what it says needs no second word. */
  readonly isBelieved: boolean;
}

interface LockUser {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The lock of a project: `skills.lock` at its root. */
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

/** The user's own lock: `~/.knack/skills.lock`. */
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

/** The two locks that the skills of a project are in. */
export function lockPlaces(projectRoot: string, user: LockUser) {
  return { project: projectLock(projectRoot, user), user: userLock(user) };
}

export type LockPlaces = Readonly<ReturnType<typeof lockPlaces>>;

/**
 * Which lock a skill belongs to: the project's for its own skills inside its folder, the user's for all others. `dir` is a
 * real path, as the catalog has it.
 */
export function lockOf(
  skill: { readonly scope: string; readonly dir: string },
  places: LockPlaces,
): LockPlace {
  const isOwn = skill.scope === "repo" && realFolder(places.project, skill.dir) !== undefined;
  return isOwn ? places.project : places.user;
}

/** A skill's folder as its lock names it. `undefined` where it is outside and so cannot be in this lock. */
export function lockFolder(place: LockPlace, dir: string): string | undefined {
  return realFolder(place, canonical(dir));
}

/** The same for a path whose links are resolved. */
export function realFolder({ scope, base }: LockPlace, real: string): string | undefined {
  if (real !== base && isInside(real, base)) return relative(base, real).split(sep).join("/");
  return scope === "user" ? real : undefined;
}

/** Where a folder of a lock is. */
export function folderOf({ base }: LockPlace, folder: string): string {
  return isAbsolute(folder) ? folder : resolve(base, folder);
}
