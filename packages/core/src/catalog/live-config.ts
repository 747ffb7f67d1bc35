import { isDeepStrictEqual } from "node:util";
import { type ConfigPlace, configFiles, type LoadedConfig, loadConfig } from "../config/load.ts";
import { SkillError } from "../shared/errors.ts";
import { stampOf } from "./file-stamp.ts";

/** The configuration, and whether the project was trusted when it was read: trust decides how much of it counts. */
export interface CurrentConfig extends LoadedConfig {
  readonly trusted: boolean;
}

type Known = { readonly mark: string } & (
  | { readonly loaded: CurrentConfig; readonly error?: undefined }
  | { readonly loaded?: undefined; readonly error: SkillError }
);

/**
 * The configuration as it is now. It is read once, and again when a file or the trust has changed; until then a call costs
 * the time stamps of two files.
 */
export class LiveConfig {
  readonly #placeNow: () => ConfigPlace;
  #known: Known | undefined;

  /** `placeNow` says whether the project is trusted now. */
  constructor(placeNow: () => ConfigPlace) {
    this.#placeNow = placeNow;
  }

  /** The same object until something changes. Throws `SkillError` while the configuration is wrong. */
  async current(): Promise<CurrentConfig> {
    const place = this.#placeNow();
    const { user, project } = configFiles(place);
    const stamp = stampOf([user, project]);
    const mark = stamp && `${stamp} ${place.trusted}`;
    if (!this.#known || mark === "" || mark !== this.#known.mark) {
      const before = this.#known?.loaded;
      // The stamp is older than the reading: a change in between differs from it the next time.
      const read = await readConfig(place);
      const isSame = before && read.loaded && isDeepStrictEqual(before, read.loaded);
      this.#known = { mark, ...(isSame ? { loaded: before } : read) };
    }
    if (this.#known.error) throw this.#known.error;
    return this.#known.loaded;
  }
}

async function readConfig(
  place: ConfigPlace,
): Promise<{ loaded: CurrentConfig; error?: undefined } | { loaded?: undefined; error: SkillError }> {
  try {
    return { loaded: { ...(await loadConfig(place)), trusted: place.trusted } };
  } catch (error) {
    if (error instanceof SkillError && error.code === "CONFIG_INVALID") return { error };
    throw error;
  }
}
