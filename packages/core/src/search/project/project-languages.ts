import { closeSync, constants, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES, MANIFESTS } from "./languages.ts";

const MAX_ENTRIES = 2_000;
const MAX_BYTES = 64 * 1024;
/** A file that was replaced by a pipe in the meantime is not waited for. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The languages and frameworks of a project, from the names of the files at its root and the dependencies they list. */
export function projectLanguages(root: string): ReadonlySet<string> {
  const names = namesIn(root);
  const manifests = names
    .filter((name) => MANIFESTS.test(name))
    .sort()
    .map((name) => beginningOf(join(root, name)));
  const used = LANGUAGES.filter(
    ({ files, dependency }) =>
      (files && names.some((name) => files.test(name))) ||
      (dependency && manifests.some((text) => dependency.test(text))),
  );
  return new Set(used.map(({ id }) => id));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .slice(0, MAX_ENTRIES)
      .filter((entry) => entry.isFile() || /\.xc\w+$/.test(entry.name))
      .map(({ name }) => name);
  } catch {
    // No project, or one that must not be read: then nothing is known of it.
    return [];
  }
}

function beginningOf(file: string): string {
  try {
    const descriptor = openSync(file, FLAGS);
    try {
      const buffer = Buffer.alloc(MAX_BYTES);
      return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, MAX_BYTES, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return "";
  }
}
