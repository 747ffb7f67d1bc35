import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { SkillError, systemCode } from "../shared/errors.ts";
import { shorten } from "../shared/quote.ts";

const MARKERS = [".knack", ".git", ".jj"];

/**
 * `KNACK_ROOT` if set, else the nearest ancestor with a marker, else the working directory. The home folder's own
 * `.knack` is the user's configuration and makes no project of it.
 */
export function findProjectRoot(cwd: string, home: string, env: NodeJS.ProcessEnv): string {
  const explicit = env.KNACK_ROOT;
  if (explicit) {
    const root = canonical(resolve(cwd, explicit));
    if (!isInside(cwd, root)) {
      throw new SkillError(
        "CONFIG_INVALID",
        `KNACK_ROOT is ${root}, which does not contain the working directory ${cwd}. Set it to a folder that does, or unset it.`,
      );
    }
    return root;
  }
  const realHome = existsSync(home) ? realpathSync(home) : home;
  for (let dir = cwd; ; dir = dirname(dir)) {
    const markers = dir === realHome ? MARKERS.filter((marker) => marker !== ".knack") : MARKERS;
    if (markers.some((marker) => existsSync(join(dir, marker)))) return dir;
    if (dir === dirname(dir)) return cwd;
  }
}

/** The project that a working directory belongs to; the working directory must exist. */
export function findProject(place: { cwd: string; home: string; env: NodeJS.ProcessEnv }): string {
  return findProjectRoot(canonicalCwd(place.cwd), place.home, place.env);
}

/** The folder itself or anything below it; `/srv/skills-evil` is not inside `/srv/skills`. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The real path of the working directory, or an error a person understands. */
export function canonicalCwd(cwd: string): string {
  const path = resolve(cwd);
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch (error) {
    throw new SkillError(
      "INVALID_PARAM",
      `The working directory ${shorten(path)} cannot be used (${systemCode(error)}); name an existing folder.`,
    );
  }
  throw new SkillError(
    "INVALID_PARAM",
    `The working directory ${shorten(path)} is not a folder; name a folder.`,
  );
}

/** With every link resolved, as far as the path exists. */
export function canonical(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const { root } = parse(path);
  const segments = path.slice(root.length).split(sep);
  // From the front: a path of a million folders that are not there costs one look.
  let existing = root || ".";
  let found = 0;
  for (; found < segments.length; found++) {
    const next = join(existing, segments[found] ?? "");
    if (!existsSync(next)) break;
    existing = next;
  }
  return join(realpathSync(existing), segments.slice(found).join(sep));
}
