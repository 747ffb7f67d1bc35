import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../shared/errors.ts";
import { canonical, isInside } from "../../shared/paths.ts";
import { readRegularFile } from "../../shared/regular-file.ts";

const MAX_BYTES = 1024 * 1024;

interface Known {
  readonly stamp: string;
  readonly value: unknown;
}

/** A server asks before every call, so what a file says is kept as long as the file is the same. */
const known = new Map<string, Known>();

/** What a client wrote down in a file of its own; `undefined` where there is none, or nothing that can be understood. */
export function readClientJson(file: string): unknown {
  const stamp = stampOf(file);
  if (stamp === undefined) return undefined;
  const before = known.get(file);
  if (before?.stamp === stamp) return before.value;
  const value = parse(file);
  known.set(file, { stamp, value });
  return value;
}

function stampOf(file: string): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats && [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join();
  } catch (error) {
    systemCode(error);
    return undefined;
  }
}

/** It is the client's to say what is wrong with its own file; Knack then finds no plugins. */
function parse(file: string): unknown {
  const content = readRegularFile(file, MAX_BYTES, true);
  if ("fault" in content) return undefined;
  try {
    // Some clients begin their file with a remark.
    return JSON.parse(content.bytes.toString("utf8").replace(/^(?:\s*\/\/[^\n]*\n)+/, ""));
  } catch {
    return undefined;
  }
}

/** The value under these keys, whatever the file has there. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

export function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** The folders that a manifest names, one or several; none of them may be outside of its own. */
export function statedFolders(folder: string, stated: unknown): string[] {
  const list = Array.isArray(stated) ? stated : [stated];
  const top = canonical(folder);
  return list
    .filter((path): path is string => typeof path === "string" && path !== "" && !path.includes("\0"))
    .map((path) => join(folder, path))
    .filter((path) => isInside(canonical(path), top));
}

/** The folders with skills of a plugin: those that its manifest names, otherwise `skills`. */
export function manifestFolders(folder: string, manifest: string | undefined): string[] {
  const stated = manifest === undefined ? undefined : valueAt(readClientJson(manifest), "skills");
  const paths = stated === undefined ? [join(folder, "skills")] : statedFolders(folder, stated);
  return [...new Set(paths)].filter((path) => existsSync(path));
}
