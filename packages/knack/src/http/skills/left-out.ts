import { basename, dirname } from "node:path";
import type { Catalog } from "@knack/core";

const MAX_PROBLEMS = 20;

/** The skills that are not in the catalog because something is wrong with them, a window of them. */
export function listLeftOut(catalog: Catalog, offset: number, limit: number) {
  const byPath = [...leftOut(catalog)];
  return {
    total: byPath.length,
    offset,
    rows: byPath.slice(offset, offset + limit).map(([path, problems]) => ({
      path,
      name: basename(path) === "SKILL.md" ? basename(dirname(path)) : basename(path),
      problems: problems.slice(0, MAX_PROBLEMS).map(({ path: _, ...problem }) => problem),
    })),
  };
}

/** Errors by file. An ineligible skill is in the catalog, with its reason, and was not left out. */
export function leftOut({ errors, entries }: Catalog): Map<string, (typeof errors)[number][]> {
  if (errors.length === 0) return new Map();
  const known = new Set(entries.map(({ skill }) => skill.path));
  return Map.groupBy(
    errors.filter(({ path }) => !known.has(path)),
    ({ path }) => path,
  );
}
