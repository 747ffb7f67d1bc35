import { hash } from "node:crypto";
import { isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ZodType } from "zod";
import type { Validation } from "../shared/diagnostics.ts";
import { canonical, isInside } from "../shared/paths.ts";
import { DIALECT_NAMES, type DialectName } from "../skill/dialects.ts";
import type { SkillScope } from "../skill/schema.ts";
import { CLIENT_IDS, type ClientChoice, type ClientId, sharedClients } from "./client-folders.ts";
import { type PermissionRule, ruleFaults } from "./rules.ts";

type Zod = typeof import("zod");

/** One key of the configuration: all that Knack knows of it. `Stated` is its value in a file, `Value` the one in force. */
interface Key<Value, Stated = Value> {
  /** A function, because zod costs more to load than most commands take. */
  schema(z: Zod): ZodType<Stated>;
  /** Where no file has the key. */
  readonly fallback: Value;
  /** Makes the paths of a file absolute. */
  resolve?(stated: Stated, origin: Origin): Stated;
  /** By default a later file's value replaces. */
  merge?(before: Value, stated: Stated, ofProject: boolean): Value;
  /** What an untrusted project may set, `undefined` for nothing: only what stays in the project and grants nothing. */
  untrusted?(stated: Stated, current: Value, limits: Limits): Stated | undefined;
}

interface Origin {
  readonly scope: "repo" | "user";
  path(stated: string): string;
  inProject(stated: string): string;
  /** The default written down is still the default: each project's own file. */
  pathOrDefault(stated: string, fallback: string): string;
  /** A name, or an absolute path. */
  skill(stated: string): string;
}

interface Limits {
  readonly projectRoot: string;
  ignore(what: string): undefined;
}

type Rest<Value> = Partial<Key<Value>>;

const key = <Value, Stated = Value>(row: Key<Value, Stated>) => row;
const flag = (fallback: boolean, rest?: Rest<boolean>) =>
  key<boolean>({ schema: (z) => z.boolean(), fallback, ...rest });
const text = (fallback: string, rest?: Rest<string>) =>
  key<string>({ schema: (z) => z.string().min(1), fallback, ...rest });
const texts = (fallback: readonly string[], rest?: Rest<readonly string[]>) =>
  key<readonly string[]>({ schema: (z) => z.array(z.string().min(1)), fallback, ...rest });
/** The first is what holds where no file says. */
const choice = <const T extends string>(values: readonly T[], rest?: Rest<NoInfer<T>>) =>
  key<T>({ schema: (z) => z.enum(values) as never, fallback: values[0]!, ...rest });
/** Limits hold back what a model is given, so an untrusted project does not raise them. */
const limit = (fallback: number, least = 1) =>
  key<number>({
    schema: (z) => z.int().min(least),
    fallback,
    untrusted: (stated, current) => Math.min(stated, current),
  });

const addUp = <T>(before: readonly T[], stated: readonly T[]): readonly T[] => [...before, ...stated];

function insideOnly<T>(stated: readonly T[], pathOf: (one: T) => string, what: string, limits: Limits): T[] {
  return stated.filter((one) => {
    const isOwn = isInside(canonical(pathOf(one)), limits.projectRoot);
    if (!isOwn) limits.ignore(what.replace("%", () => pathOf(one)));
    return isOwn;
  });
}

/** Nothing of an untrusted project, and a note if it differs. */
const onlyTrusted = (name: string) => (stated: unknown, current: unknown, limits: Limits) => {
  if (!isDeepStrictEqual(stated, current)) limits.ignore(name);
  return undefined;
};

const ruleList = key<readonly PermissionRule[]>({
  schema: (z) => {
    const rule = z.strictObject({ tool: z.string().min(1), skill_name: z.string().min(1).optional() });
    const checked = rule.superRefine((value, context) => {
      for (const { key: at, message } of ruleFaults(value))
        context.addIssue({ code: "custom", path: [at], message });
    });
    return z.array(checked);
  },
  fallback: [],
  resolve: (stated, { skill }) =>
    stated.map((rule) => (rule.skill_name ? { ...rule, skill_name: skill(rule.skill_name) } : rule)),
  merge: addUp,
});

export interface ConfiguredRoot {
  readonly path: string;
  readonly scope: SkillScope;
  readonly dialect: DialectName;
  /** It comes with the project, and may leave it only with the user's trust. */
  readonly ofProject: boolean;
  /** A folder of every project (`project:`), which a project need not have. */
  readonly optional?: boolean;
}

/** A path, or a folder of whatever project Knack runs in. */
type StatedRoot = Partial<Pick<ConfiguredRoot, "path" | "scope" | "dialect"> & { project: string }>;

function rootSchema(z: Zod): ZodType<StatedRoot> {
  const root = z.strictObject({
    path: z.string().min(1).optional(),
    project: z.string().min(1).optional(),
    scope: z.enum(["repo", "user", "bundled"]).optional(),
    dialect: z.enum(DIALECT_NAMES).optional(),
  });
  const checked = root.superRefine(({ path, project, scope }, context) => {
    const fault = (at: string, message: string): void =>
      context.addIssue({ code: "custom", path: [at], message });
    if (path === undefined && project === undefined) fault("path", "is missing.");
    if (project === undefined) return;
    if (path !== undefined) fault("project", "cannot stand beside path; name one.");
    if (!isBelow(project)) fault("project", "must be a folder inside the project, like .claude/skills.");
    if (scope !== undefined && scope !== "repo") fault("scope", "must be repo for a project folder.");
  });
  // A plain string is the path of a root.
  return z.preprocess((value) => (typeof value === "string" ? { path: value } : value), checked);
}

/** Whether a stated path cannot lead out of the folder that it is relative to. */
function isBelow(path: string): boolean {
  const steps = path.split(/[/\\]/);
  return !isAbsolute(path) && !/^[~\\]|^[a-z]:/i.test(path) && !steps.includes("..");
}

/** At least one of `files`, `commands` and `tools`. */
interface StatedGate {
  /** Patterns of paths, from the project's root. */
  readonly files?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  /** Patterns of shell commands. */
  readonly commands?: readonly string[] | undefined;
  readonly needs: string;
  readonly message?: string | undefined;
}

const GATE_TOOLS = ["write", "edit", "shell", "read", "search", "agent"] as const;

function gateList(z: Zod): ZodType<StatedGate[]> {
  const patterns = z.array(z.string().min(1)).min(1).max(100);
  const gate = z.strictObject({
    files: patterns.optional(),
    tools: z.array(z.enum(GATE_TOOLS)).min(1).optional(),
    commands: patterns.optional(),
    needs: z.string().min(1),
    message: z.string().max(1000).optional(),
  });
  return z
    .array(
      gate.refine(
        ({ files, tools, commands }) => files ?? tools ?? commands,
        "needs files, commands or tools: what it is a gate for.",
      ),
    )
    .max(200);
}

type Runners = {
  readonly default: string | null;
  readonly [name: string]: { readonly command: readonly string[] } | string | null;
};

const ARTIFACTS = /^(?:postgres|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.=/-]*)?)$/;

/** Every key of `.knack/config.yaml`. Each is optional in a file, and an unknown one is an error. */
export const KEYS = {
  skills: {
    // A project may switch its skills off, never on against the user's word.
    enabled: flag(true, { untrusted: (stated) => (stated ? undefined : stated) }),
    validation: choice<Validation>(["strict", "lenient"]),
    clients: key<ClientChoice>({
      schema: (z) =>
        z.union([z.enum(["all", "none"]), z.array(z.enum(CLIENT_IDS as [ClientId, ...ClientId[]]))], {
          error: `must be all, none, or a list of ${CLIENT_IDS.join(", ")}`,
        }),
      fallback: "all",
      untrusted: sharedClients,
    }),
    /** Gives out only skills that are as `skills.lock` has them. A project cannot switch it off. */
    locked: flag(false, { merge: (before, stated, ofProject) => (ofProject && before) || stated }),
    duplicates: choice(["ambiguous", "nearest"]),
    roots: key<readonly ConfiguredRoot[], readonly StatedRoot[]>({
      schema: (z) => z.array(rootSchema(z)),
      fallback: [],
      resolve: (stated, origin) =>
        stated.map(({ path, project, scope = origin.scope, ...root }) => ({
          ...root,
          scope,
          ...(path === undefined ? {} : { path: origin.path(path) }),
          ...(project === undefined ? {} : { project: origin.inProject(project) }),
        })),
      merge: (before, stated, ofProject) => [
        ...before,
        ...stated.map(({ path = "", project, scope = "repo", dialect = "agentskills" }) =>
          project === undefined
            ? { path, scope, dialect, ofProject }
            : { path: project, scope: "repo" as const, dialect, ofProject: true, optional: true },
        ),
      ],
      untrusted: (stated, _current, limits) => {
        const pathOf = ({ path = "", project = path }: StatedRoot): string => project;
        return insideOnly(stated, pathOf, "the root %", limits).map((root) => ({ ...root, scope: "repo" }));
      },
    }),
    /** Names, and absolute paths. */
    disabled: texts([], { resolve: (stated, { skill }) => stated.map(skill), merge: addUp }),
    initial: { maxEntries: limit(200), maxBytes: limit(32_768) },
    search: { defaultLimit: limit(8), maxLimit: limit(50) },
    files: { maxFiles: limit(200), maxBytes: limit(524_288) },
  },
  tools: { available: texts(["read", "write", "edit", "shell", "search"]) },
  permissions: {
    allow: key<readonly PermissionRule[]>({
      ...ruleList,
      untrusted: (stated, _current, { ignore }) => (stated.length > 0 ? ignore("allow rules") : undefined),
    }),
    deny: ruleList,
    default: key<"allow" | "confirm" | null>({
      schema: (z) => z.enum(["allow", "confirm"]).nullable(),
      fallback: null,
      untrusted: (stated, _current, { ignore }) =>
        stated === "allow" ? ignore("permissions.default: allow") : (stated ?? undefined),
    }),
  },
  routing: text(".agents/routing.yaml", {
    resolve: (stated, { pathOrDefault }) => pathOrDefault(stated, ".agents/routing.yaml"),
    // Until then its own file is not read either.
    untrusted: onlyTrusted("routing"),
  }),
  registry: texts(["skills/registry.yaml"], {
    schema: (z) => z.array(z.string().min(1)).max(100),
    resolve: (stated, { pathOrDefault }) => stated.map((path) => pathOrDefault(path, "skills/registry.yaml")),
    untrusted: (stated, _current, limits) =>
      insideOnly(stated, String, "a registry outside the project", limits),
  }),
  dispatch: {
    root: text("tao-of-coding"),
    maxDepth: limit(3, 0),
    // An untrusted project may forbid more, never less.
    forbidRootReload: flag(true, { untrusted: (stated) => stated || undefined }),
    allowReentry: flag(false, { untrusted: (stated) => (stated ? undefined : stated) }),
  },
  runners: key<Runners, Partial<Runners>>({
    schema: (z) =>
      z
        .object({ default: z.string().min(1).nullable().optional() })
        .catchall(z.strictObject({ command: z.array(z.string()).min(1) })) as never,
    fallback: { default: null },
    merge: (before, stated) => ({ ...before, ...stated }) as Runners,
    untrusted: (stated, _current, { ignore }) =>
      Object.values(stated).some((runner) => runner !== null) ? ignore("runners") : undefined,
  }),
  mcp: {
    /** Which tools MCP offers; `core`: search, load, read a file, and the project's own typed skills. */
    tools: key<"core" | "all" | readonly string[]>({
      schema: (z) =>
        z.union([z.enum(["core", "all"]), z.array(z.string().min(1)).min(1)], {
          error: "must be core, all, or a list of the names of tools",
        }),
      fallback: "core",
      // More tools cost context, and may run code.
      untrusted: onlyTrusted("mcp.tools"),
    }),
  },
  /** What hooks of agents say: to a prompt the skill that fits, a pointer to it, or nothing; to a session the list of skills. */
  hooks: {
    prompt: choice(["load", "point", "off"], { untrusted: onlyTrusted("hooks.prompt") }),
    session: choice(["on", "off"], { untrusted: onlyTrusted("hooks.session") }),
    /** Whether `allowed-tools` of the skill that an agent follows narrow the agent's own tools. */
    enforce: choice(["off", "warn", "deny"], { untrusted: onlyTrusted("hooks.enforce") }),
  },
  /** What an agent may do only after a skill was loaded in its conversation. A gate refuses and never grants. */
  gates: key<readonly StatedGate[]>({
    schema: gateList,
    fallback: [],
    merge: addUp,
    untrusted: (stated, _current, { ignore }) => (stated.length > 0 ? ignore("gates") : undefined),
  }),
  store: {
    /** `null`: a file in the user's folder. */
    url: key<string | null>({
      schema: (z) => z.string().min(1).nullable(),
      fallback: null,
      resolve: (stated, { path }) =>
        stated?.replace(/^sqlite:(.+)$/, (_whole, file) => `sqlite:${path(file)}`) ?? null,
      untrusted: onlyTrusted("store.url"),
    }),
  },
  /** What is kept of searches, loads and decisions: nothing, decisions with a digest of the words, or the words too. */
  record: choice(["off", "use", "full"], {
    fallback: "use",
    merge: (before, stated, ofProject) => (ofProject && before === "off" ? before : stated),
    untrusted: onlyTrusted("record"),
  }),
  isolation: {
    /** Typed skills that may run without isolation. No project speaks for its own code, trusted or not. */
    allowNone: texts([], { merge: (before, stated, ofProject) => (ofProject ? before : stated) }),
  },
  artifacts: {
    /** Where artifacts are kept for all machines; `null`: in a PostgreSQL store, else in local files alone. */
    url: key<string | null>({
      // The message does not quote the value, which may contain a secret.
      schema: (z) =>
        z
          .string()
          .refine((url) => ARTIFACTS.test(url), "must be postgres or s3://bucket/prefix, without a password.")
          .nullable(),
      fallback: null,
      // It would send the user's artifacts to a place of its choice.
      untrusted: onlyTrusted("artifacts.url"),
    }),
  },
};

type ValueOf<Row> =
  Row extends Key<infer Value, infer _> ? Value : { readonly [K in keyof Row]: ValueOf<Row[K]> };
type StatedOf<Row> =
  Row extends Key<infer _, infer Stated> ? Stated : { [K in keyof Row]?: StatedOf<Row[K]> | undefined };

/** The configuration in force: both files merged, defaults filled in, paths absolute. */
export type Config = ValueOf<typeof KEYS>;
/** One file's content, checked. */
export type ConfigFile = StatedOf<typeof KEYS>;

type AnyKey = Key<unknown>;
export interface Keys {
  readonly [name: string]: AnyKey | Keys;
}

export function isKey(row: AnyKey | Keys): row is AnyKey {
  return typeof row.schema === "function";
}

type Source = Readonly<Record<string, unknown>> | undefined;

/** The same tree with what `visit` makes of each key. */
function mapKeys(
  rows: Keys,
  [first, second]: readonly [Source?, Source?],
  visit: (row: AnyKey, first: unknown, second: unknown, path: string) => unknown,
  group = "",
): object {
  const entries = Object.entries(rows).map(([name, row]) => {
    const values = [first?.[name], second?.[name]] as const;
    const path = `${group}${name}`;
    if (isKey(row)) return [name, visit(row, ...values, path)];
    return [name, mapKeys(row, values as [Source, Source], visit, `${path}.`)];
  });
  return Object.fromEntries(entries);
}

/** Paths are relative to the project root; `loadConfig` makes them absolute. */
export const DEFAULT_CONFIG: Config = mapKeys(KEYS, [], ({ fallback }) => fallback) as Config;

export function merge(config: Config, file: ConfigFile, ofProject: boolean): Config {
  return mapKeys(KEYS, [config, file], (row, before, stated) =>
    mergeKey(row, before, stated, ofProject),
  ) as Config;
}

function mergeKey(row: AnyKey, before: unknown, stated: unknown, ofProject: boolean): unknown {
  if (stated === undefined) return before;
  return row.merge ? row.merge(before, stated, ofProject) : stated;
}

export function resolvePaths(file: ConfigFile, origin: Origin): ConfigFile {
  return mapKeys(KEYS, [file], (row, stated) =>
    stated === undefined || !row.resolve ? stated : row.resolve(stated, origin),
  );
}

/** What of a project's configuration needs the user's word: the value by its key, such as `runners` or `store.url`. */
export type Widening = Readonly<Record<string, unknown>>;

/** `file`: what applies, nothing that widens unless it was accepted as it is. `ignored`: what was left out, in words. */
export function narrow(file: ConfigFile, current: Config, projectRoot: string, accepted: Widening = {}) {
  const ignored: string[] = [];
  const keys: string[] = [];
  const widening: Record<string, unknown> = {};
  const narrowed = mapKeys(KEYS, [file, current], (row, stated, value, path) => {
    if (stated === undefined || !row.untrusted) return stated;
    const told: string[] = [];
    const ignore = (what: string): undefined => void told.push(what);
    const kept = row.untrusted(stated, value, { projectRoot, ignore });
    const [least, most] = [kept, stated].map((one) => mergeKey(row, value, one, true));
    if (!isDeepStrictEqual(least, most)) {
      widening[path] = keptValue(stated);
      if (isDeepStrictEqual(widening[path], accepted[path])) return stated;
      keys.push(path);
    }
    ignored.push(...told);
    return kept;
  });
  return { file: narrowed as ConfigFile, widening, ignored, keys };
}

/** Without a password. */
function keptValue(stated: unknown): unknown {
  const text = JSON.stringify(stated);
  return /:\/\/[^/@"]*:[^/@"]+@/.test(text) ? `sha256:${hash("sha256", text)}` : JSON.parse(text);
}
