import { isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type ConfigPlace, configFiles, type LoadedConfig, loadConfig } from "../config/load.ts";
import { findPlace, homeFolder } from "../config/places.ts";
import type { Validation } from "../shared/diagnostics.ts";
import { KnackError } from "../shared/errors.ts";
import { stampOf } from "../shared/file-stamp.ts";
import { quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { defaultRoots, type FoundRoots, type GivenRoot, givenRoots, type RootPlace } from "./scan/roots.ts";
import { cacheFolder } from "./tree.ts";

/** Trust decides how much of the configuration counts. */
export interface CurrentConfig extends LoadedConfig {
  readonly trusted: boolean;
}

type Read =
  | { readonly loaded: CurrentConfig; readonly error?: undefined }
  | { readonly loaded?: undefined; readonly error: KnackError };

export type ConfigLook = { readonly trusted: boolean } & Read;

/** The configuration as it is now: read again when a file or the trust changed, else two time stamps are compared. */
export class LiveConfig {
  /** False where a program gives all rules itself. */
  readonly isOfFiles: boolean = true;
  readonly #placeNow: () => ConfigPlace;
  #known: ({ readonly mark: string } & Read) | undefined;

  constructor(placeNow: () => ConfigPlace) {
    this.#placeNow = placeNow;
  }

  /** The same object until something changes. Throws `KnackError` while the configuration is wrong. */
  async current(): Promise<CurrentConfig> {
    const { loaded, error } = await this.look();
    if (error) throw error;
    return loaded;
  }

  /** Looks at the trust and at both files once. */
  async look(): Promise<ConfigLook> {
    const place = this.#placeNow();
    const { user, project } = configFiles(place);
    const stamp = stampOf([user, project]);
    const mark = stamp && `${stamp} ${place.trusted} ${JSON.stringify(place.accepted)}`;
    if (!this.#known || mark === "" || mark !== this.#known.mark) {
      const before = this.#known?.loaded;
      // A change during the reading makes another stamp the next time.
      const read = await readConfig(place);
      const isSame = before && read.loaded && isDeepStrictEqual(before, read.loaded);
      this.#known = { mark, ...(isSame ? { loaded: before } : read) };
    }
    return { ...this.#known, trusted: place.trusted };
  }
}

async function readConfig(place: ConfigPlace): Promise<Read> {
  try {
    return { loaded: { ...(await loadConfig(place)), trusted: place.trusted } };
  } catch (error) {
    if (error instanceof KnackError && error.code === "CONFIG_INVALID") return { error };
    throw error;
  }
}

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
  /** Whether the project's configuration and links may reach out of it; true by default. A function is asked at each reload. */
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
  /** @internal Every root is in code: no file is looked at. */
  readonly withoutFiles?: boolean;
  /** @internal The configuration of this place, where somebody has read it already. */
  readonly config?: LiveConfig;
}

export interface CatalogSettings
  extends LoadedConfig,
    Pick<OpenCatalogOptions, "validation" | "onProgress" | "onIndexProgress">,
    Required<Pick<OpenCatalogOptions, "enabled" | "env" | "tools" | "hostTools">> {
  readonly searchInBackground: boolean;
  readonly place: RootPlace & { readonly cache: string | null };
  readonly withoutProject: boolean;
  readonly findRoots: () => FoundRoots;
  /** As they are now, or as `look` saw them; the same object where nothing changed. Throws where the configuration is wrong. */
  readonly now: (look?: SettingsLook) => Promise<CatalogSettings>;
}

export interface SettingsLook {
  readonly loaded: CurrentConfig;
  readonly withoutProject: boolean;
}

/** An untrusted project decides only how its own skills are read. Clients read their folders leniently, so Knack does too. */
export function validationIn(
  { validation, config, userConfig }: CatalogSettings,
  { scope, client }: Pick<SkillMetadata, "scope" | "client">,
): Validation {
  if (client !== undefined) return "lenient";
  return validation ?? (scope === "repo" ? config : userConfig).skills.validation;
}

export async function settleOptions(options: OpenCatalogOptions): Promise<CatalogSettings> {
  const { env = process.env } = options;
  const home = options.home ?? homeFolder(env);
  if (!isAbsolute(home))
    throw new KnackError("INVALID_PARAM", `The home folder ${quote(home)} must be an absolute path.`);
  const { validation } = options;
  if (validation !== undefined && validation !== "strict" && validation !== "lenient") {
    const message = `"validation" must be strict or lenient, found ${quote(validation)}.`;
    throw new KnackError("INVALID_PARAM", message);
  }
  const { cwd, projectRoot } = findPlace(options, home, env);
  const isTrusted = (): boolean => answerNow(options.trusted, true);
  const config = options.config ?? new LiveConfig(() => ({ projectRoot, home, env, trusted: isTrusted() }));
  const { tools = [], hostTools = [], onProgress, onIndexProgress, searchInBackground = false } = options;
  const fixed = { validation, env, tools, hostTools, onProgress, onIndexProgress, searchInBackground };
  const cache = options.cache === false ? null : options.cache || cacheFolder(env, home);
  const settle = async (
    before?: CatalogSettings & { readonly loaded: object },
    look?: SettingsLook,
  ): Promise<CatalogSettings> => {
    const loaded = look?.loaded ?? (await config.current());
    const withoutProject = look?.withoutProject ?? answerNow(options.withoutProject, false);
    if (before?.loaded === loaded && before.withoutProject === withoutProject) return before;
    const place = { cwd, home, env, projectRoot, trusted: loaded.trusted, cache };
    const settings = {
      ...fixed,
      ...loaded,
      loaded,
      place,
      // Each snapshot asks again: what a path leads to can change.
      findRoots: (): FoundRoots =>
        options.roots ? givenRoots(options.roots, cwd) : defaultRoots(place, loaded.config.skills),
      enabled: options.enabled ?? loaded.config.skills.enabled,
      withoutProject,
      now: (seen?: SettingsLook): Promise<CatalogSettings> => settle(settings, seen),
    };
    return settings;
  };
  return settle();
}

function answerNow(given: boolean | (() => boolean) | undefined, fallback: boolean): boolean {
  return typeof given === "function" ? given() : (given ?? fallback);
}
