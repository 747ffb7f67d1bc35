import type { LiveConfig } from "../catalog/live-config.ts";
import type { Config } from "../config/config.ts";
import type { LoadedConfig } from "../config/load.ts";
import { SkillError } from "../shared/errors.ts";

/** The rules and switches in force, or why nobody can say which those are: then nothing may be loaded. */
export type Policy =
  | {
      readonly permissions: Config["permissions"];
      readonly disabled: readonly string[];
      /** Whether skills must be as they were locked: the project's own, and all others. */
      readonly locked: { readonly repo: boolean; readonly user: boolean };
    }
  | { readonly problem: string };

/**
 * What the configuration permits as it is now: a session may last for days, and a rule that the user adds holds from
 * the next call on.
 */
export async function policyNow(config: LiveConfig): Promise<Policy> {
  try {
    return policyOf(await config.current());
  } catch (error) {
    if (error instanceof SkillError && error.code === "CONFIG_INVALID") return { problem: error.message };
    throw error;
  }
}

function policyOf({ config, userConfig, unclearRules }: LoadedConfig): Policy {
  // An untrusted project may forbid, so a rule of its that cannot be read may be one that forbids.
  if (unclearRules !== undefined) return { problem: unclearRules };
  return {
    permissions: config.permissions,
    disabled: config.skills.disabled,
    locked: { repo: config.skills.locked, user: userConfig.skills.locked },
  };
}
