import { existsSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import type { Tree } from "../index/tree.ts";
import type { Root } from "../scan/roots.ts";
import type { Snapshot } from "../snapshot.ts";
import { type WatchOptions, watchFolders } from "./watch-folders.ts";

/** What a watcher must know of a catalog. */
export interface WatchedCatalog extends Snapshot {
  readonly roots: readonly Root[];
  readonly config: Config;
  readonly waitingForTrust: number;
  readonly trees: Iterable<Tree>;
}

/** Each next snapshot that differs. `userFolder`: where the user's configuration and trust are kept. */
export function watchCatalog<T extends WatchedCatalog>(
  first: T,
  userFolder: string,
  refresh: (catalog: T) => Promise<T>,
  options: WatchOptions,
): AsyncGenerator<T, void> {
  return watchFolders<T>(
    first,
    {
      foldersOf: (catalog) => watchedFolders(catalog, userFolder),
      refresh,
      isSame: (a, b) => a === b || fingerprint(a) === fingerprint(b),
    },
    options,
  );
}

function* watchedFolders({ roots, trees }: WatchedCatalog, userFolder: string): Iterable<string> {
  // Not the project's: the log is in there, and each record would mean a look.
  if (existsSync(userFolder)) yield userFolder;
  for (const root of roots) yield root.real;
  for (const tree of trees) yield* tree.paths;
}

function fingerprint(catalog: WatchedCatalog): string {
  const { errors, warnings, config, waitingForTrust, roots } = catalog;
  const entries = catalog.entries.map(({ skill, status, reason }) => [skill, status, reason]);
  return JSON.stringify([entries, errors, warnings, config, waitingForTrust, roots]);
}
