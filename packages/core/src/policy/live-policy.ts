import { configMark } from "../catalog/config-mark.ts";
import type { Config } from "../config/config.ts";
import { type ConfigPlace, type LoadedConfig, loadConfig } from "../config/load.ts";
import { SkillError } from "../shared/errors.ts";

/** The rules and switches in force, or why nobody can say which those are: then nothing may be loaded. */
export type Policy =
  | { readonly permissions: Config["permissions"]; readonly disabled: readonly string[] }
  | { readonly problem: string };

/**
 * What the configuration permits as it is now: a session may last for days, and a rule that the user adds holds from
 * the next call on. A call costs a look at the time stamps of two files while they do not change.
 */
export class LivePolicy {
  readonly #placeNow: () => ConfigPlace;
  #policy: Policy | undefined;
  /** What the files looked like when they were read. */
  #mark = "";

  /**
   * The first look reads the files again: what was loaded when a catalog was opened may have changed during its scan.
   */
  constructor(placeNow: () => ConfigPlace) {
    this.#placeNow = placeNow;
  }

  async current(): Promise<Policy> {
    const place = this.#placeNow();
    const mark = configMark(place);
    if (this.#policy && mark !== "" && mark === this.#mark) return this.#policy;
    // Taken before the files are read: a change during that differs from it the next time.
    const policy = await readPolicy(place);
    this.#policy = policy;
    this.#mark = mark;
    return policy;
  }
}

async function readPolicy(place: ConfigPlace): Promise<Policy> {
  try {
    return policyOf(await loadConfig(place));
  } catch (error) {
    if (error instanceof SkillError && error.code === "CONFIG_INVALID") return { problem: error.message };
    throw error;
  }
}

function policyOf({ config, unclearRules }: LoadedConfig): Policy {
  // An untrusted project may forbid, so a rule of its that cannot be read may be one that forbids.
  if (unclearRules !== undefined) return { problem: unclearRules };
  return { permissions: config.permissions, disabled: config.skills.disabled };
}
