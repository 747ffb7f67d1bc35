import type { CatalogSettings } from "../catalog/settings.ts";
import type { Entry } from "../catalog/snapshot.ts";
import { type Reference, type ResolveOptions, resolveSkill } from "./resolve.ts";

export interface LookupOptions {
  /** Also a skill that cannot be used now, where no active one has the name. */
  readonly includeInactive?: boolean;
  /** The name as it is spelled: no other case or form of its letters. */
  readonly exact?: boolean;
  /** Where relative paths begin; the catalog's working directory by default. */
  readonly cwd?: string;
}

/** Resolves a reference as the configuration of a catalog says. */
export function lookUp(
  entries: readonly Entry[],
  reference: Reference,
  settings: CatalogSettings,
  options: LookupOptions,
): Entry {
  return resolveSkill(entries, reference, {
    ...settings.place,
    ...options,
    cwd: options.cwd ?? settings.place.cwd,
    duplicates: duplicatesIn(settings),
  });
}

/** A project may not decide that its skills come before the user's. */
function duplicatesIn({ config, userConfig }: CatalogSettings): ResolveOptions["duplicates"] {
  const { duplicates } = config.skills;
  const isOnlyOfProject = duplicates === "nearest" && userConfig.skills.duplicates !== "nearest";
  return isOnlyOfProject ? "nearest-in-repo" : duplicates;
}
