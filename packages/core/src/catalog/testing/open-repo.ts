import { type Catalog, type OpenCatalogOptions, openCatalog } from "../../open-catalog.ts";
import type { Folder } from "../../testing/files.ts";

/** A catalog for `repo/` with `home/` as the user's home, from the files alone. */
export function openRepo(folder: Folder, options: OpenCatalogOptions = {}): Promise<Catalog> {
  folder.write({ "repo/.git/": "", "home/": "" });
  return openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false, ...options });
}

export const names = (catalog: Catalog): string[] => catalog.skills.map(({ name }) => name);
