import { isAbsolute, join, normalize, resolve } from "node:path";
import { KnackError } from "../shared/errors.ts";
import { lookAtOwn } from "../shared/own-file.ts";
import { canonical } from "../shared/paths.ts";
import { faultText, isAbsent, readRegularFile } from "../shared/regular-file.ts";
import type { ConfigProblem } from "./check.ts";
import {
  type Config,
  type ConfigFile,
  DEFAULT_CONFIG,
  merge,
  narrow,
  resolvePaths,
  type Widening,
} from "./config.ts";
import { pathIn, switchIn } from "./rules.ts";

export interface ConfigPlace {
  readonly projectRoot: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly trusted: boolean;
  /** What the user accepted of a trusted project's configuration; absent: all of it counts. */
  readonly accepted?: Widening | undefined;
}

export interface LoadedConfig {
  readonly config: Config;
  /** What was ignored and why, a line each. */
  readonly notes: readonly string[];
  readonly files: readonly string[];
  /** For the user's own skills: an untrusted project has no say. */
  readonly userConfig: Config;
  /** What of the project's file widens anything, in force or not. */
  readonly widening: Widening;
  /** Why an untrusted project's file was ignored, if nobody could understand its rules. */
  readonly unclearRules?: string | undefined;
}

export const MAX_CONFIG_BYTES = 64 * 1024;

export function knackHome(env: NodeJS.ProcessEnv, home: string): string {
  // A relative path would mean a folder of the current project.
  const moved = env.KNACK_HOME ?? "";
  return isAbsolute(moved) ? moved : join(home, ".knack");
}

/** The user's configuration file and the project's; they are one where the home folder is the project. */
export function configFiles({ projectRoot, home, env }: Pick<ConfigPlace, "projectRoot" | "home" | "env">): {
  readonly user: string;
  readonly project: string;
} {
  return {
    user: join(knackHome(env, home), "config.yaml"),
    project: join(projectRoot, ".knack", "config.yaml"),
  };
}

/** A wrong file is an error that names each line; an untrusted project's is ignored with a note, so it cannot stop a command. */
export async function loadConfig(place: ConfigPlace): Promise<LoadedConfig> {
  const { projectRoot, trusted, accepted } = place;
  const { user: userFile, project: projectFile } = configFiles(place);
  const notes: string[] = [];
  const files: string[] = [];

  let config: Config = {
    ...DEFAULT_CONFIG,
    routing: resolve(projectRoot, DEFAULT_CONFIG.routing),
    registry: DEFAULT_CONFIG.registry.map((path) => resolve(projectRoot, path)),
  };
  const user = await readConfig(userFile, (message) => {
    throw new KnackError("CONFIG_INVALID", message);
  });
  if (user) {
    files.push(userFile);
    config = merge(config, absolutePaths(user, userFile, place, "user"), false);
  }
  const userConfig = config;
  if (canonical(projectFile) === canonical(userFile))
    return { config, userConfig, notes, files, widening: {} };
  let widening: Widening = {};
  let unclearRules: string | undefined;
  const reject = (message: string, hasUnclearRules: boolean): void => {
    if (trusted) throw new KnackError("CONFIG_INVALID", message);
    notes.push(`The configuration of this untrusted project is ignored: ${message}`);
    if (hasUnclearRules) unclearRules = message;
  };
  // An error message could quote the lines of a link's target, so an untrusted link is not followed.
  const found = trusted ? undefined : lookAtOwn(projectRoot, projectFile);
  if (found?.kind === "refused") reject(`${found.path} is not read: ${found.reason}.`, true);
  const project = found?.kind === "refused" ? undefined : await readConfig(projectFile, reject);
  if (project) {
    files.push(projectFile);
    if (project.isolation?.allowNone?.length)
      notes.push(`"isolation" in ${projectFile} is ignored: only your own ${userFile} can allow that.`);
    if (project.store?.url?.startsWith("sqlite:")) {
      // A database that came with the project could say anything.
      notes.push(`"store.url" in ${projectFile} is ignored: only your own ${userFile} can name a file.`);
      delete project.store;
    }
    const checked = absolutePaths(project, projectFile, place, "repo");
    const narrowed = narrow(checked, config, projectRoot, trusted ? accepted : {});
    widening = narrowed.widening;
    const { ignored, keys } = narrowed;
    if (!trusted && ignored.length > 0)
      notes.push(`Ignored until you trust this project (knack trust): ${ignored.join(", ")}.`);
    if (trusted && accepted && keys.length > 0)
      notes.push(
        `Ignored until you accept it, because it changed since you trusted this project: ${keys.join(", ")} in ${projectFile}. See the change: knack trust`,
      );
    config = merge(config, trusted && !accepted ? checked : narrowed.file, true);
  }
  return { config, userConfig: trusted ? config : userConfig, notes, files, widening, unclearRules };
}

/** `undefined` where it does not exist or was rejected. */
export async function readConfig(
  file: string,
  reject: (message: string, hasUnclearRules: boolean) => void,
): Promise<ConfigFile | undefined> {
  const content = readRegularFile(file, MAX_CONFIG_BYTES, true);
  if ("fault" in content) {
    if (!isAbsent(content)) reject(`${file} ${faultText(content, MAX_CONFIG_BYTES)}.`, true);
    return undefined;
  }
  const text = content.bytes.toString("utf8");
  // The schema is slow to load; without a file nobody pays for it.
  const { checkConfig } = await import("./check.ts");
  const result = checkConfig(text, file);
  if (!Array.isArray(result)) return result;
  reject(
    problemText(result),
    result.some(({ isOfRules }) => isOfRules),
  );
  return undefined;
}

export function problemText(problems: readonly Pick<ConfigProblem, "file" | "line" | "message">[]): string {
  const told = problems.slice(0, 20).map(({ file, line, message }) => `${file}:${line}: ${message}`);
  if (problems.length > told.length) told.push(`… and ${problems.length - told.length} more`);
  return told.join("\n");
}

/** Paths are relative to the folder that holds `.knack/`. */
function absolutePaths(
  file: ConfigFile,
  origin: string,
  { home, projectRoot }: ConfigPlace,
  scope: "repo" | "user",
): ConfigFile {
  const path = (stated: string): string => pathIn(stated, origin, home);
  const inProject = (stated: string): string => resolve(projectRoot, stated);
  return resolvePaths(file, {
    scope,
    path,
    inProject,
    pathOrDefault: (stated, fallback) =>
      normalize(stated) === normalize(fallback) ? inProject(fallback) : path(stated),
    skill: (stated) => switchIn(stated, origin, home),
  });
}
