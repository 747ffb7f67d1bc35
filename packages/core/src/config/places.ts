import { existsSync, realpathSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { KnackError, systemCode, tryOr } from "../shared/errors.ts";
import { canonical, isInside } from "../shared/paths.ts";
import { shorten } from "../shared/quote.ts";

/** `.codelia` and `CODELIA_AGENTS_ROOT` are the names of document 004 §5.2; ours come first. */
const MARKERS = [".knack", ".codelia", ".git", ".jj"];
const VARIABLES = ["KNACK_ROOT", "CODELIA_AGENTS_ROOT"];

/** The variable, else the nearest folder with a marker, else the working directory. `~/.knack` makes no project of the home. */
function findProjectRoot(cwd: string, home: string, env: NodeJS.ProcessEnv): string {
  const variable = VARIABLES.find((name) => env[name]);
  if (variable !== undefined) {
    const root = canonical(resolve(cwd, env[variable] ?? ""));
    if (!isInside(cwd, root)) {
      throw new KnackError(
        "CONFIG_INVALID",
        `${variable} is ${root}, which does not contain the working directory ${cwd}. Set it to a folder that does, or unset it.`,
      );
    }
    return root;
  }
  const realHome = existsSync(home) ? realpathSync(home) : home;
  for (let dir = cwd; ; dir = dirname(dir)) {
    const markers =
      dir === realHome ? MARKERS.filter((marker) => marker !== ".knack" && marker !== ".codelia") : MARKERS;
    if (markers.some((marker) => existsSync(join(dir, marker)))) return dir;
    if (dir === dirname(dir)) return cwd;
  }
}

export function findProject(place: { cwd: string; home: string; env: NodeJS.ProcessEnv }): string {
  return findProjectRoot(canonicalCwd(place.cwd), place.home, place.env);
}

/** `withoutFiles`: skills are in code, and there may be no file system. */
export function findPlace(
  { cwd = process.cwd(), withoutFiles }: { cwd?: string; withoutFiles?: boolean },
  home: string,
  env: NodeJS.ProcessEnv,
) {
  if (withoutFiles) return { cwd: resolve("/"), projectRoot: resolve("/") };
  const real = canonicalCwd(cwd);
  return { cwd: real, projectRoot: findProjectRoot(real, home, env) };
}

function canonicalCwd(cwd: string): string {
  const path = resolve(cwd);
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch (error) {
    throw new KnackError(
      "INVALID_PARAM",
      `The working directory ${shorten(path)} cannot be used (${systemCode(error)}); name an existing folder.`,
    );
  }
  throw new KnackError(
    "INVALID_PARAM",
    `The working directory ${shorten(path)} is not a folder; name a folder.`,
  );
}

/** An empty or relative `HOME` would make a project's folder the user's own; then the operating system is asked. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  const home = env.HOME ?? "";
  if (isAbsolute(home)) return home;
  // A user without an entry has no home; then there are no files of theirs either.
  return tryOr(() => userInfo().homedir, "/nonexistent");
}
