import { type Catalog, type OpenCatalogOptions, openCatalog } from "@knack/core";
import type { GlobalOptions } from "../options.ts";
import { noteOnce } from "../terminal/output.ts";
import { Progress } from "../terminal/progress.ts";
import { placeAt } from "./place.ts";

/** The catalog as the command line sees it: trust from the user's folder, progress on a terminal. */
export async function open(options: GlobalOptions, more: Partial<OpenCatalogOptions> = {}): Promise<Catalog> {
  const { cwd, home, env, trusted } = placeAt(options);
  const progress = new Progress();
  try {
    const catalog = await openCatalog({ cwd, home, env, trusted, onProgress: progress.tell, ...more });
    progress.end();
    for (const line of catalog.notes) noteOnce(line);
    return catalog;
  } finally {
    progress.end();
  }
}
