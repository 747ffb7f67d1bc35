import { readFileSync, realpathSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isInside } from "@knack/core/internal/engine";

/** What an import resolves to, for the digest of an implementation. */
export interface Resolved {
  /** Real paths of files; several if it depends on package conditions or on the loader. */
  readonly files: readonly string[];
  /** Folders that are covered completely: packages that are the project's own code, linked into node_modules. */
  readonly folders: readonly string[];
  /** `name@version` of external packages. */
  readonly packages: readonly string[];
}

const NOTHING: Resolved = { files: [], folders: [], packages: [] };
const ENDINGS = ["", ".ts", ".mts", ".js", ".mjs", ".cjs", ".json", ".node"];

/** `undefined` if nothing is found, so that the caller covers more. `root` is a real path; the result may be outside of it. */
export function resolveImport(specifier: string, from: string, root: string): Resolved | undefined {
  if (specifier.startsWith("node:") || isBuiltin(specifier)) return NOTHING;
  if (/^\.{0,2}\//.test(specifier) || /^\.{1,2}$/.test(specifier))
    return firstOf([resolve(dirname(from), specifier), ...byUrl(specifier, from)]);
  if (/^file:/i.test(specifier)) return firstOf(byUrl(specifier, from));
  if (/^[a-z][a-z0-9+.-]*:/i.test(specifier)) return undefined;
  if (specifier.startsWith("#")) return byMap(specifier, "imports", from, root);
  const name = /^(@[^/]+\/[^/]+|[^/]+)/.exec(specifier)?.[0] ?? specifier;
  const own = packageOf(from, root);
  if (own?.json.name === name) return byMap(`.${specifier.slice(name.length)}`, "exports", from, root);
  return packageFrom(name, from, root);
}

/** Resolves a specifier as a URL: decoded, without query and hash. */
function byUrl(specifier: string, from: string): string[] {
  try {
    const url = new URL(specifier, pathToFileURL(from));
    url.search = "";
    url.hash = "";
    return [fileURLToPath(url)];
  } catch {
    return []; // Not a URL that a file can have.
  }
}

function firstOf(paths: readonly string[]): Resolved | undefined {
  for (const path of paths) {
    const found = fileOf(path);
    if (found) return found;
  }
  return undefined;
}

/** Every file that Node could mean: the loaders try extensions in different orders. */
function fileOf(path: string): Resolved | undefined {
  const files = ENDINGS.flatMap((ending) => realFile(path + ending) ?? []);
  if (files.length > 0) return { ...NOTHING, files };
  // CommonJS reads the folder's package.json, then looks for its index.
  const folder = realPath(path);
  return folder && statSync(folder).isDirectory() ? { ...NOTHING, folders: [folder] } : undefined;
}

function realFile(path: string): string | undefined {
  const real = realPath(path);
  return real && statSync(real).isFile() ? real : undefined;
}

export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** A package that is not installed is recorded as missing, so that installing it changes the digest. */
function packageFrom(name: string, from: string, root: string): Resolved {
  for (let folder = dirname(from); isInside(folder, root); folder = dirname(folder)) {
    const place = realPath(join(folder, "node_modules", name));
    if (place === undefined) continue;
    if (isInside(place, root) && !/[/\\]node_modules[/\\]/.test(place))
      return { ...NOTHING, folders: [place] };
    return {
      ...NOTHING,
      packages: [`${name}@${String(readJson(join(place, "package.json"))?.version ?? "?")}`],
    };
  }
  return { ...NOTHING, packages: [`${name}@absent`] };
}

/**
 * Resolves `imports` or `exports` of the project's own package. The runtime decides which condition holds, so the targets of
 * all conditions count.
 */
function byMap(key: string, field: "imports" | "exports", from: string, root: string): Resolved | undefined {
  const own = packageOf(from, root);
  if (!own) return undefined;
  const map = own.json[field];
  const targets =
    typeof map === "object" && map !== null && !Array.isArray(map) && hasPaths(map)
      ? Object.entries(map).flatMap(([pattern, target]) => targetsFor(key, pattern, target))
      : key === "."
        ? strings(map ?? own.json.main ?? "./index.js")
        : [];
  const found = targets.flatMap((target) =>
    target.startsWith(".") ? (fileOf(resolve(own.folder, target)) ?? []) : packageFrom(target, from, root),
  );
  if (found.length === 0) return undefined;
  return {
    files: [own.path, ...found.flatMap(({ files }) => files)],
    folders: found.flatMap(({ folders }) => folders),
    packages: found.flatMap(({ packages }) => packages),
  };
}

function hasPaths(map: object): boolean {
  return Object.keys(map).some((key) => /^[.#]/.test(key));
}

function targetsFor(key: string, pattern: string, target: unknown): string[] {
  if (key === pattern) return strings(target);
  const star = pattern.indexOf("*");
  if (star === -1) return [];
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  if (!key.startsWith(before) || !key.endsWith(after) || key.length < pattern.length) return [];
  const middle = key.slice(before.length, key.length - after.length);
  return strings(target).map((text) => text.replaceAll("*", () => middle));
}

/** Every string in a target: in conditions and lists. */
function strings(target: unknown): string[] {
  if (typeof target === "string") return [target];
  return typeof target === "object" && target !== null ? Object.values(target).flatMap(strings) : [];
}

interface OwnPackage {
  readonly path: string;
  readonly folder: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** The nearest package.json at or above a file, inside the project. */
function packageOf(from: string, root: string): OwnPackage | undefined {
  for (let folder = dirname(from); isInside(folder, root); folder = dirname(folder)) {
    const path = join(folder, "package.json");
    const json = readJson(path);
    if (json) return { path, folder, json };
    if (folder === dirname(folder)) break;
  }
  return undefined;
}

function readJson(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    if (statSync(path).size > 1024 * 1024) return undefined;
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Missing, unreadable or not JSON: treated as no package.
    return undefined;
  }
}
