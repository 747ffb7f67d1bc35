import type { Validation } from "../shared/diagnostics.ts";
import type { DialectName } from "../skill/dialects.ts";
import type { SkillScope } from "../skill/schema.ts";
import type { ClientChoice } from "./client-folders.ts";

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
    readonly search: {
      readonly defaultLimit: number;
      readonly maxLimit: number;
      /** `null`: search by words alone. Only the user's own file can set it. */
      readonly embeddings: EmbeddingsConfig | null;
    };
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
  readonly store: { readonly url: string };
  /** Typed skills that may run without isolation; the user's own file alone can name them. */
  readonly isolation: { readonly allowNone: readonly string[] };
  /** Where artifacts are kept for all machines; `null`: in a PostgreSQL store, else in local files alone. */
  readonly artifacts: { readonly url: string | null };
}

/** An endpoint that speaks the OpenAI embeddings API. */
export interface EmbeddingsConfig {
  /** Without the `/embeddings` at its end. */
  readonly url: string;
  readonly model: string;
  /** The environment variable with the API key, if the endpoint needs one. */
  readonly apiKeyEnv?: string | undefined;
  /** What some models want before a query, and before a text that is searched. */
  readonly queryPrefix?: string | undefined;
  readonly skillPrefix?: string | undefined;
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

/** Which calls a rule is about: those of a tool, of one skill where it names one. `policy/permissions.ts` has how. */
export interface PermissionRule {
  readonly tool: string;
  readonly skill_name?: string | undefined;
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
    search: { defaultLimit: 8, maxLimit: 50, embeddings: null },
    files: { maxFiles: 200, maxBytes: 524288 },
  },
  tools: { available: ["read", "write", "edit", "shell", "search"] },
  permissions: { allow: [], deny: [], default: null },
  routing: ".agents/routing.yaml",
  registry: ["skills/registry.yaml"],
  dispatch: { root: "tao-of-coding", maxDepth: 3 },
  runners: { default: null },
  mcp: { tools: "core" },
  store: { url: "sqlite:.knack/state.db" },
  isolation: { allowNone: [] },
  artifacts: { url: null },
};
