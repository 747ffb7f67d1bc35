import { isTrusted } from "@knack/core";
import type { ConfigPlace } from "@knack/core/internal";
import { findProject, homeFolder } from "@knack/core/internal";

/** A project, the user's own folders, and whether the user trusts the project now. */
export function placeOf(projectRoot: string): ConfigPlace {
  const env = process.env;
  const home = homeFolder(env);
  return { projectRoot, home, env, trusted: isTrusted(projectRoot, { env, home }) };
}

/** The same for the project that a folder belongs to; the process's own by default. */
export function placeAt({ cwd = process.cwd() }: { readonly cwd?: string }): ConfigPlace & {
  readonly cwd: string;
} {
  const env = process.env;
  return { cwd, ...placeOf(findProject({ cwd, home: homeFolder(env), env })) };
}
