import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { SkillError } from "../errors.ts";
import { readRegularFile } from "../regular-file.ts";
import { type Config, DEFAULT_CONFIG } from "./config.ts";
import { canonical, isInside } from "./project-root.ts";
import type { ConfigFile } from "./schema.ts";

export interface ConfigPlace {
  readonly projectRoot: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly trusted: boolean;
}

export interface LoadedConfig {
  readonly config: Config;
  /** What was ignored and why, a line each. */
  readonly notes: readonly string[];
  /** The files that were read. */
  readonly files: readonly string[];
  /** What holds for the user's own skills: an untrusted project has no say in that. */
  readonly userConfig: Config;
}

const MAX_CONFIG_BYTES = 64 * 1024;

/** `~/.knack`, or where `KNACK_HOME` says. */
export function knackHome(env: NodeJS.ProcessEnv, home: string): string {
  // A relative path would be a folder of whatever project one is in.
  const moved = env.KNACK_HOME ?? "";
  return isAbsolute(moved) ? moved : join(home, ".knack");
}

/**
 * The user's file, then the project's over it. A wrong file is an error that names each line; only an untrusted
 * project's is ignored with a note, so that a stranger's repository cannot stop a command.
 */
export async function loadConfig(place: ConfigPlace): Promise<LoadedConfig> {
  const { projectRoot, home, env, trusted } = place;
  const userFolder = knackHome(env, home);
  const userFile = join(userFolder, "config.yaml");
  const projectFile = join(projectRoot, ".knack", "config.yaml");
  const notes: string[] = [];
  const files: string[] = [];

  let config: Config = {
    ...DEFAULT_CONFIG,
    routing: resolve(projectRoot, DEFAULT_CONFIG.routing),
    registry: DEFAULT_CONFIG.registry.map((path) => resolve(projectRoot, path)),
    store: { url: resolveStore(DEFAULT_CONFIG.store.url, (path) => resolve(projectRoot, path)) },
  };
  const user = await readConfig(userFile, (message) => {
    throw new SkillError("CONFIG_INVALID", message);
  });
  if (user) {
    files.push(userFile);
    config = merge(config, absolutePaths(user, dirname(userFolder), home, "user"), false);
  }
  const userConfig = config;
  if (canonical(projectFile) === canonical(userFile)) return { config, userConfig, notes, files };
  const project = await readConfig(projectFile, (message) => {
    if (trusted) throw new SkillError("CONFIG_INVALID", message);
    notes.push(`The configuration of this untrusted project is ignored: ${message}`);
  });
  if (project) {
    files.push(projectFile);
    const checked = absolutePaths(project, projectRoot, home, "repo");
    config = merge(config, trusted ? checked : narrow(checked, config, projectRoot, notes), true);
  }
  return { config, userConfig: trusted ? config : userConfig, notes, files };
}

async function readConfig(file: string, reject: (message: string) => void): Promise<ConfigFile | undefined> {
  const content = readRegularFile(file, MAX_CONFIG_BYTES, true);
  if ("fault" in content) {
    const { fault, detail } = content;
    const why =
      fault === "TOO_LARGE"
        ? `has ${detail} bytes; at most ${MAX_CONFIG_BYTES} are read`
        : `cannot be read (${detail})`;
    if (detail !== "ENOENT" && detail !== "ENOTDIR") reject(`${file} ${why}.`);
    return undefined;
  }
  const text = content.bytes.toString("utf8");
  // The schema costs more to load than most commands take, so only a configuration that exists pays for it.
  const { checkConfig } = await import("./check.ts");
  const result = checkConfig(text, file);
  if (!Array.isArray(result)) return result;
  const told = result.slice(0, 20).map((problem) => `${problem.file}:${problem.line}: ${problem.message}`);
  if (result.length > told.length) told.push(`… and ${result.length - told.length} more`);
  reject(told.join("\n"));
  return undefined;
}

/** Of an untrusted project's configuration, only what stays in the project and grants nothing. */
function narrow(file: ConfigFile, current: Config, projectRoot: string, notes: string[]): ConfigFile {
  const ignored: string[] = [];
  const drop = (what: string): false => {
    ignored.push(what);
    return false;
  };
  const narrowed: ConfigFile = { ...file };
  // A project may switch its skills off, never on against the user's word.
  if (file.skills?.enabled) narrowed.skills = { ...file.skills, enabled: undefined };
  if (file.skills?.roots) {
    const roots = file.skills.roots
      .filter((root) => isInside(canonical(root.path), projectRoot) || drop(`the root ${root.path}`))
      .map((root) => ({ ...root, scope: "repo" as const }));
    narrowed.skills = { ...narrowed.skills, roots };
  }
  if (file.permissions) {
    const { allow, default: fallback, ...deny } = file.permissions;
    if (allow && allow.length > 0) drop("allow rules");
    if (fallback === "allow") drop("permissions.default: allow");
    narrowed.permissions = fallback === "confirm" ? { ...deny, default: "confirm" } : deny;
  }
  if (file.dispatch?.maxDepth !== undefined) {
    const maxDepth = Math.min(file.dispatch.maxDepth, current.dispatch.maxDepth);
    narrowed.dispatch = { ...file.dispatch, maxDepth };
  }
  if (file.runners) {
    drop("runners");
    delete narrowed.runners;
  }
  if (file.routing && !isInside(canonical(file.routing), projectRoot)) {
    drop("routing outside the project");
    delete narrowed.routing;
  }
  if (file.registry) {
    narrowed.registry = file.registry.filter(
      (path) => isInside(canonical(path), projectRoot) || drop("a registry outside the project"),
    );
  }
  const store = file.store?.url;
  if (
    store !== undefined &&
    !(store.startsWith("sqlite:") && isInside(canonical(store.slice("sqlite:".length)), projectRoot))
  ) {
    drop("a store outside the project");
    delete narrowed.store;
  }
  if (ignored.length > 0)
    notes.push(`Ignored until you trust this project (knack trust): ${ignored.join(", ")}.`);
  return narrowed;
}

function absolutePaths(file: ConfigFile, base: string, home: string, scope: "repo" | "user"): ConfigFile {
  const at = (path: string): string => resolve(base, path.replace(/^~(?=$|[/\\])/, home));
  const result: ConfigFile = { ...file };
  if (file.skills) {
    result.skills = {
      ...file.skills,
      roots: file.skills.roots?.map((root) => ({ ...root, path: at(root.path), scope: root.scope ?? scope })),
      disabled: file.skills.disabled?.map((entry) => (looksLikePath(entry) ? skillPath(at(entry)) : entry)),
    };
  }
  if (file.routing) result.routing = at(file.routing);
  if (file.registry) result.registry = file.registry.map(at);
  if (file.store?.url) result.store = { url: resolveStore(file.store.url, at) };
  return result;
}

/** As the catalog writes it: links of the folder resolved, a linked `SKILL.md` where it is. */
function skillPath(path: string): string {
  return basename(path) === "SKILL.md" ? join(canonical(dirname(path)), "SKILL.md") : canonical(path);
}

/** A name has no separator and does not begin with a dot or a tilde. */
function looksLikePath(entry: string): boolean {
  return /[/\\]/.test(entry) || /^[.~]/.test(entry);
}

function resolveStore(url: string, at: (path: string) => string): string {
  return url.startsWith("sqlite:") ? `sqlite:${at(url.slice("sqlite:".length))}` : url;
}

/** Single values of the later file replace, lists of roots, switches and rules add up. */
function merge(config: Config, file: ConfigFile, ofProject: boolean): Config {
  const { skills = {}, permissions = {} } = file;
  return {
    skills: {
      enabled: skills.enabled ?? config.skills.enabled,
      validation: skills.validation ?? config.skills.validation,
      duplicates: skills.duplicates ?? config.skills.duplicates,
      roots: [
        ...config.skills.roots,
        ...(skills.roots ?? []).map(({ path, scope = "repo", dialect = "agentskills" }) => ({
          path,
          scope,
          dialect,
          ofProject,
        })),
      ],
      disabled: [...config.skills.disabled, ...(skills.disabled ?? [])],
      initial: { ...config.skills.initial, ...defined(skills.initial) },
      search: { ...config.skills.search, ...defined(skills.search) },
      files: { ...config.skills.files, ...defined(skills.files) },
    },
    tools: { available: file.tools?.available ?? config.tools.available },
    permissions: {
      allow: [...config.permissions.allow, ...(permissions.allow ?? [])],
      deny: [...config.permissions.deny, ...(permissions.deny ?? [])],
      default: permissions.default === undefined ? config.permissions.default : permissions.default,
    },
    routing: file.routing ?? config.routing,
    registry: file.registry ?? config.registry,
    dispatch: { ...config.dispatch, ...defined(file.dispatch) },
    runners: { ...config.runners, ...defined(file.runners) } as Config["runners"],
    store: { ...config.store, ...defined(file.store) },
  };
}

/** The keys that have a value, so that an absent one does not hide a default. */
function defined<T extends object>(value: T | undefined): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, entry]) => entry !== undefined)) as never;
}
