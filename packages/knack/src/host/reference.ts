import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Catalog, Reference } from "@knack/core";

/** What a person calls a skill by on the command line: a name first, then an id, then a path. */
export function referenceOf(catalog: Catalog, given: string): Reference {
  const name = given.normalize("NFC");
  if (catalog.entries.some(({ skill }) => skill.name === name)) return { name };
  const isPath = /[/\\]/.test(given) || given.startsWith(".") || existsSync(resolve(catalog.cwd, given));
  if (isPath) return { path: given };
  return catalog.entries.some(({ skill }) => skill.id === given) ? { id: given } : { name };
}
