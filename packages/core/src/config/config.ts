import type { Validation } from "../shared/diagnostics.ts";
import { canonical, isInside } from "../shared/paths.ts";
import type { DialectName } from "../skill/dialects.ts";
import type { SkillScope } from "../skill/schema.ts";
import type { ConfigFile } from "./check.ts";
import { type ClientChoice, sharedClients } from "./client-folders.ts";
import type { PermissionRule } from "./rules.ts";

/** The configuration in force: both files merged, defaults filled in, paths absolute. */
export interface Config {
  readonly skills: {
    readonly enabled: boolean;
    readonly validation: Validation;
    readonly clients: ClientChoice;
    /** Whether only skills that are as `skills.lock` has them are given to anybody. */
    readonly locked: boolean;
    readonly duplicates: "ambiguous" | "nearest";
    readonly roots: readonly ConfiguredRoot[];
    /** Names, and absolute paths. */
    readonly disabled: readonly string[];
    readonly initial: { readonly maxEntries: number; readonly maxBytes: number };
    readonly search: { readonly defaultLimit: number; readonly maxLimit: number };
    readonly files: { readonly maxFiles: number; readonly maxBytes: number };
  };
  readonly tools: { readonly available: readonly string[] };
  readonly permissions: {
    readonly allow: readonly PermissionRule[];
    readonly deny: readonly PermissionRule[];
    readonly default: "allow" | "confirm" | null;
  };
  readonly routing: string;
  readonly registry: readonly string[];
  readonly dispatch: { readonly root: string; readonly maxDepth: number };
  readonly runners: {
    readonly default: string | null;
    readonly [name: string]: { readonly command: readonly string[] } | string | null;
  };
  /** Which tools MCP offers. */
  readonly mcp: { readonly tools: ToolChoice };
  /** `null`: a file in the user's folder. */
  readonly store: { readonly url: string | null };
  /** Typed skills that may run without isolation; the user's own file alone can name them. */
  readonly isolation: { readonly allowNone: readonly string[] };
  /** Where artifacts are kept for all machines; `null`: in a PostgreSQL store, else in local files alone. */
  readonly artifacts: { readonly url: string | null };
}

/** `core`: search, load, read a file, and the project's own typed skills. */
type ToolChoice = "core" | "all" | readonly string[];

export interface ConfiguredRoot {
  readonly path: string;
  readonly scope: SkillScope;
  readonly dialect: DialectName;
  /** Whether it comes with the project, so that it may leave the project only with the user's trust. */
  readonly ofProject: boolean;
  /** A folder of every project (`project:`), which a project need not have. */
  readonly optional?: boolean;
}

/** Paths are relative to the project root; `loadConfig` makes them absolute. */
export const DEFAULT_CONFIG: Config = {
  skills: {
    enabled: true,
    validation: "strict",
    clients: "all",
    locked: false,
    duplicates: "ambiguous",
    roots: [],
    disabled: [],
    initial: { maxEntries: 200, maxBytes: 32768 },
    search: { defaultLimit: 8, maxLimit: 50 },
    files: { maxFiles: 200, maxBytes: 524288 },
  },
  tools: { available: ["read", "write", "edit", "shell", "search"] },
  permissions: { allow: [], deny: [], default: null },
  routing: ".agents/routing.yaml",
  registry: ["skills/registry.yaml"],
  dispatch: { root: "tao-of-coding", maxDepth: 3 },
  runners: { default: null },
  mcp: { tools: "core" },
  store: { url: null },
  isolation: { allowNone: [] },
  artifacts: { url: null },
};

/** Single values of the later file replace, lists of roots, switches and rules add up. */
export function merge(config: Config, file: ConfigFile, ofProject: boolean): Config {
  const { skills = {}, permissions = {} } = file;
  return {
    skills: {
      enabled: skills.enabled ?? config.skills.enabled,
      validation: skills.validation ?? config.skills.validation,
      clients: skills.clients ?? config.skills.clients,
      // A project may switch it on; what the user switched on stays on.
      locked: (ofProject && config.skills.locked) || (skills.locked ?? config.skills.locked),
      duplicates: skills.duplicates ?? config.skills.duplicates,
      roots: [
        ...config.skills.roots,
        ...(skills.roots ?? []).map(({ path = "", project, scope = "repo", dialect = "agentskills" }) =>
          project === undefined
            ? { path, scope, dialect, ofProject }
            : { path: project, scope: "repo" as const, dialect, ofProject: true, optional: true },
        ),
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
    mcp: { ...config.mcp, ...defined(file.mcp) },
    store: { ...config.store, ...defined(file.store) },
    // No project speaks for its own code, trusted or not.
    isolation: ofProject ? config.isolation : { ...config.isolation, ...defined(file.isolation) },
    artifacts: { ...config.artifacts, ...defined(file.artifacts) },
  };
}

/** The keys that have a value, so that an absent one does not hide a default. */
function defined<T extends object>(value: T | undefined): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, entry]) => entry !== undefined)) as never;
}

/** Of an untrusted project's configuration, only what stays in the project and grants nothing. */
export function narrow(file: ConfigFile, current: Config, projectRoot: string, notes: string[]): ConfigFile {
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
      .filter(({ path = "", project = path }) => {
        return isInside(canonical(project), projectRoot) || drop(`the root ${project}`);
      })
      .map((root) => ({ ...root, scope: "repo" as const }));
    narrowed.skills = { ...narrowed.skills, roots };
  }
  if (narrowed.skills) {
    const { initial, search, files } = file.skills ?? {};
    const { skills } = current;
    const { defaultLimit, maxLimit } = skills.search;
    const { clients } = narrowed.skills;
    narrowed.skills = {
      ...narrowed.skills,
      clients: clients && sharedClients(clients, skills.clients),
      initial: smaller(initial, skills.initial),
      search: smaller(search, { defaultLimit, maxLimit }),
      files: smaller(files, skills.files),
    };
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
    if (Object.values(file.runners).some((runner) => runner !== null)) drop("runners");
    delete narrowed.runners;
  }
  // Its own routing file is not read before that, and must not stand in for the user's.
  if (file.routing) {
    if (file.routing !== current.routing) drop("routing");
    delete narrowed.routing;
  }
  if (file.registry) {
    narrowed.registry = file.registry.filter(
      (path) => isInside(canonical(path), projectRoot) || drop("a registry outside the project"),
    );
  }
  // More tools cost the user's context, and others than theirs may run code.
  if (file.mcp?.tools !== undefined) {
    if (JSON.stringify(file.mcp.tools) !== JSON.stringify(current.mcp.tools)) drop("mcp.tools");
    delete narrowed.mcp;
  }
  // Its state is kept in the user's folder until then.
  if (file.store?.url !== undefined) {
    if (file.store.url !== current.store.url) drop("store.url");
    delete narrowed.store;
  }
  // It would send the user's artifacts to a place of its choice.
  if (file.artifacts?.url !== undefined) {
    if (file.artifacts.url !== current.artifacts.url) drop("artifacts.url");
    delete narrowed.artifacts;
  }
  if (ignored.length > 0)
    notes.push(`Ignored until you trust this project (knack trust): ${ignored.join(", ")}.`);
  return narrowed;
}

/** Limits hold back what a model is given, so an untrusted project does not raise them. */
function smaller<T extends Readonly<Record<string, number>>>(
  wanted: { readonly [K in keyof T]?: number | undefined } | undefined,
  current: T,
): T | undefined {
  if (!wanted) return undefined;
  const entries = Object.entries(current).map(([key, limit]) => [key, Math.min(wanted[key] ?? limit, limit)]);
  return Object.fromEntries(entries);
}
