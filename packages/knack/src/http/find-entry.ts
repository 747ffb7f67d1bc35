import type { Catalog, Entry } from "@knack/core";
import { unverifiedError } from "@knack/core/session";
import { notFound } from "../options.ts";

/** The skill that an id, a name or scope:name means. Throws `KnackError`. */
export function findEntry(catalog: Catalog, given: string): Entry {
  if (given !== "" && catalog.candidates(given).length > 0)
    return catalog.resolveEntry(given, { includeInactive: true });
  const hint = waitingForTrust(catalog);
  throw notFound(`There is no such skill; /api/skills lists them.${hint}`);
}

/** The same, for what reads the skill's files: under `skills.locked` a changed skill must not be read. */
export function findVerified(catalog: Catalog, given: string): Entry {
  const entry = findEntry(catalog, given);
  if (entry.status === "unverified") throw unverifiedError(entry.skill, entry.reason);
  return entry;
}

export function waitingForTrust({ waitingForTrust: count }: Pick<Catalog, "waitingForTrust">): string {
  return count === 0
    ? ""
    : ` ${count} more ${count === 1 ? "is" : "are"} hidden until you trust this project: run "knack trust" there.`;
}
