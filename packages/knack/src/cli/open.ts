import { type Catalog, isTrusted, type OpenCatalogOptions, openCatalog } from "@knack/core";
import { findProject, homeFolder } from "@knack/core/internal";
import type { GlobalOptions } from "./options.ts";
import { noteOnce } from "./output.ts";
import { Progress } from "./progress.ts";

/** The catalog as the command line sees it: trust from the user's folder, progress on a terminal. */
export async function open(options: GlobalOptions, more: Partial<OpenCatalogOptions> = {}): Promise<Catalog> {
  const env = process.env;
  const home = homeFolder(env);
  const cwd = options.cwd ?? process.cwd();
  const trusted = isTrusted(findProject({ cwd, home, env }), { env, home });
  const progress = new Progress();
  try {
    const catalog = await openCatalog({
      cwd,
      home,
      env,
      trusted,
      onProgress: progress.tell,
      ...more,
    });
    progress.end();
    for (const line of catalog.notes) noteOnce(line);
    return catalog;
  } finally {
    progress.end();
  }
}
