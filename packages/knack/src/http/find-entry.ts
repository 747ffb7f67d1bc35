import { type Catalog, type Entry, SkillError } from "@knack/core";

/** The skill that an id, a name or scope:name means. Throws `SkillError`. */
export function findEntry(catalog: Catalog, given: string): Entry {
  if (given !== "" && catalog.candidates(given).length > 0)
    return catalog.resolveEntry(given, { includeInactive: true });
  throw new SkillError("NOT_FOUND", `There is no such skill; /api/skills lists them.${waiting(catalog)}`);
}

/** Hint for "not found": the skill may exist in a project that is not trusted yet. */
export function waiting({ waitingForTrust }: Pick<Catalog, "waitingForTrust">): string {
  return waitingForTrust === 0
    ? ""
    : ` ${waitingForTrust} more ${waitingForTrust === 1 ? "is" : "are"} hidden until you trust this project: run "knack trust" there.`;
}
