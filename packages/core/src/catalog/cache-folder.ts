import { hash } from "node:crypto";
import { isAbsolute, join, sep } from "node:path";
import type { ScanOptions } from "./scan/scan.ts";

/** The user's cache folder for Knack: never the project's. */
export function cacheFolder(
  env: NodeJS.ProcessEnv,
  home: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const xdg = env.XDG_CACHE_HOME;
  // A relative path would be somewhere else in every folder; the XDG rules ignore it.
  if (xdg && isAbsolute(xdg)) return join(xdg, "knack");
  if (platform === "darwin") return join(home, "Library", "Caches", "knack");
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "knack", "Cache");
  return join(home, ".cache", "knack");
}

/** Names a tree and the way of reading it. */
export function indexKey(
  scan: Pick<ScanOptions, "top" | "place" | "bareChildren" | "topMayBeSkill" | "otherRoots">,
): string {
  const { top, place, bareChildren, topMayBeSkill, otherRoots } = scan;
  // All are canonical, so no path need be taken apart: there may be a root for each folder of each client.
  const below = top.endsWith(sep) ? top : top + sep;
  const nested = [...otherRoots].filter((root) => root.startsWith(below)).sort();
  return JSON.stringify([
    top,
    place.folder,
    place.dialect,
    place.bareIsLily,
    bareChildren,
    topMayBeSkill,
    nested,
  ]);
}

/** One index file for each key. */
export function indexFile(folder: string, key: string): string {
  return join(folder, "catalog", `${hash("sha256", key, "hex").slice(0, 32)}.idx`);
}

/** One file for the vectors of a model, whatever catalog they belong to. */
export function vectorFile(
  folder: string | null,
  { url, model }: { readonly url: string; readonly model: string },
): string | null {
  if (folder === null) return null;
  const key = JSON.stringify([url, model]);
  return join(folder, "embeddings", `${hash("sha256", key, "hex").slice(0, 32)}.idx`);
}

/** One file for the words of all skills of a set of roots. */
export function searchIndexFile(
  folder: string | null,
  roots: readonly { readonly real: string; readonly dialect: string }[],
): string | null {
  if (folder === null) return null;
  const key = JSON.stringify(roots.map(({ real, dialect }) => [real, dialect]));
  return join(folder, "search", `${hash("sha256", key, "hex").slice(0, 32)}.idx`);
}
