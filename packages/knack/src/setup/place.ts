import { isAbsolute, join } from "node:path";

/** The words of a command: the program and its arguments. */
export type Words = readonly [program: string, ...rest: string[]];

/** A server as a client's file describes it. */
export type ServerEntry = Readonly<Record<string, unknown>>;

/** Whose files these are: paths depend on the user, the environment and the system. */
export interface UserPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** What a client accepts in its file. `comments`: JSON with comments; `jsonc`: with trailing commas too; `source`: a program. */
export type Syntax = "json" | "comments" | "jsonc" | "toml" | "source";

/** `file` in the folder that a variable names, else in `folder` of the home folder. */
export function homeOf({ env, home }: UserPlace, variable: string, folder: string, file: string): string {
  const given = env[variable] ?? "";
  return given === "" ? join(home, folder, file) : join(given, file);
}

/** Where programs keep their configuration by the rules of XDG. A relative path there counts as none. */
export function configHome({ env, home }: UserPlace): string {
  const given = env.XDG_CONFIG_HOME ?? "";
  return isAbsolute(given) ? given : join(home, ".config");
}
