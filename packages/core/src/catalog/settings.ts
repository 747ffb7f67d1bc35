import { isAbsolute } from "node:path";
import type { Config } from "../config/config.ts";
import { homeFolder } from "../config/home.ts";
import { knackHome } from "../config/load.ts";
import { canonicalCwd, findProjectRoot } from "../config/project-root.ts";
import type { Validation } from "../shared/diagnostics.ts";
import { SkillError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { cacheFolder } from "./cache-folder.ts";
import { LiveConfig } from "./live-config.ts";
import { defaultRoots, type GivenRoot, givenRoots, type Root } from "./scan/roots.ts";

export interface OpenCatalogOptions {
  /** The working directory; the process's own by default. */
  readonly cwd?: string;
  /** Look only here, instead of in the default, configured and environment roots. */
  readonly roots?: readonly GivenRoot[];
  /** Instead of the configuration's. */
  readonly validation?: Validation;
  /** Instead of the configuration's: `true` looks even where skills are switched off. */
  readonly enabled?: boolean;
  /** `false`: no index on disk. A path: keep it there. Otherwise in the user's cache folder. */
  readonly cache?: false | string;
  /**
   * Whether the project's configuration and links may reach out of it; true by default, because a program that embeds
   * Knack has decided that. A function is asked again at each reload.
   */
  readonly trusted?: boolean | (() => boolean);
  /** Tools beyond Knack's own and the typed skills that a `command_tool` may name; they count for `requires_tools` too. */
  readonly tools?: readonly string[];
  /** Tools that the host offers beyond those of the configuration, for `requires_tools` alone. */
  readonly hostTools?: readonly string[];
  /** Leave out the project's own skills, for a model in an untrusted repository. */
  readonly withoutProject?: boolean | (() => boolean);
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
  /** Called now and then during a long scan, with the number of folders so far. */
  readonly onProgress?: (folders: number) => void;
  /** Called now and then while a search makes its index, with the number of skills read so far; last with all of them. */
  readonly onIndexProgress?: (skills: number, total: number) => void;
  /** @internal Answer searches from names and descriptions while a large index is made in a thread. */
  readonly searchInBackground?: boolean;
  /** @internal The configuration of this place, where somebody has read it already. */
  readonly config?: LiveConfig;
}

/** Everything that stays the same from one snapshot to the next. */
export interface CatalogSettings {
  readonly place: {
    readonly cwd: string;
    readonly home: string;
    readonly projectRoot: string;
    readonly trusted: boolean;
    readonly cache: string | null;
  };
  readonly config: Config;
  readonly userConfig: Config;
  readonly notes: readonly string[];
  readonly findRoots: () => readonly Root[];
  readonly enabled: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly tools: readonly string[];
  readonly hostTools: readonly string[];
  readonly withoutProject: boolean;
  readonly validation: Validation | undefined;
  readonly files: readonly string[];
  readonly onProgress: ((folders: number) => void) | undefined;
  readonly onIndexProgress: OpenCatalogOptions["onIndexProgress"];
  readonly searchInBackground: boolean;
  /** Where the user's configuration and trust are kept. */
  readonly userFolder: string;
  /** Configuration and trust as they are now; this object itself where they are as they were. Throws where one is wrong. */
  readonly now: () => Promise<CatalogSettings>;
}

/**
 * An untrusted project decides how its own skills are read, not how the user's are. Clients read their own folders
 * leniently, so Knack does too.
 */
export function validationIn(
  { validation, config, userConfig }: CatalogSettings,
  { scope, client }: Pick<SkillMetadata, "scope" | "client">,
): Validation {
  if (client !== undefined) return "lenient";
  return validation ?? (scope === "repo" ? config : userConfig).skills.validation;
}

/** As they are now; as they were where the configuration is wrong now. */
export async function validSettingsNow(settings: CatalogSettings): Promise<CatalogSettings> {
  try {
    return await settings.now();
  } catch (error) {
    if (error instanceof SkillError && error.code === "CONFIG_INVALID") return settings;
    throw error;
  }
}

/** Checks what was asked for and reads the configuration. */
export async function settleOptions(options: OpenCatalogOptions): Promise<CatalogSettings> {
  const { env = process.env } = options;
  const home = options.home ?? homeFolder(env);
  if (!isAbsolute(home))
    throw new SkillError("INVALID_PARAM", `The home folder ${quote(home)} must be an absolute path.`);
  const { validation } = options;
  if (validation !== undefined && validation !== "strict" && validation !== "lenient") {
    throw new SkillError(
      "INVALID_PARAM",
      `"validation" must be strict or lenient, found ${quote(validation)}.`,
    );
  }
  const cwd = canonicalCwd(options.cwd ?? process.cwd());
  const projectRoot = findProjectRoot(cwd, home, env);
  const isTrusted = (): boolean => answerNow(options.trusted, true);
  const config = options.config ?? new LiveConfig(() => ({ projectRoot, home, env, trusted: isTrusted() }));
  const { tools = [], hostTools = [], onProgress, onIndexProgress, searchInBackground = false } = options;
  const fixed = {
    validation,
    env,
    tools,
    hostTools,
    onProgress,
    onIndexProgress,
    searchInBackground,
    userFolder: knackHome(env, home),
  };
  const cache = options.cache === false ? null : options.cache || cacheFolder(env, home);
  const settle = async (before?: CatalogSettings & { readonly loaded: object }): Promise<CatalogSettings> => {
    const loaded = await config.current();
    const withoutProject = answerNow(options.withoutProject, false);
    if (before?.loaded === loaded && before.withoutProject === withoutProject) return before;
    const settings = {
      ...fixed,
      ...loaded,
      loaded,
      place: { cwd, home, projectRoot, trusted: loaded.trusted, cache },
      // Asked again for every snapshot: what a root's path leads to can change.
      findRoots: (): Root[] =>
        options.roots
          ? givenRoots(options.roots, cwd)
          : defaultRoots({ cwd, projectRoot, home, env, trusted: loaded.trusted }, loaded.config.skills),
      enabled: options.enabled ?? loaded.config.skills.enabled,
      withoutProject,
      now: (): Promise<CatalogSettings> => settle(settings),
    };
    return settings;
  };
  return settle();
}

function answerNow(given: boolean | (() => boolean) | undefined, fallback: boolean): boolean {
  return typeof given === "function" ? given() : (given ?? fallback);
}
