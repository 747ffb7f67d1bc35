import type { Engine, EngineOptions } from "@knack/engine";
import type { GlobalOptions } from "../options.ts";
import { openProject } from "./open-project.ts";

/** Works with the engine of the current project, and always closes its database. */
export async function withEngine<T>(
  options: GlobalOptions,
  work: (engine: Engine, projectRoot: string) => Promise<T>,
  /** By default one skill runs and the program ends. */
  more: Pick<EngineOptions, "keepsWarm" | "guests"> = { keepsWarm: false },
): Promise<T> {
  const project = openProject(options);
  // An error while opening is passed on as it is; only a refusal of the engine is reworded.
  const engine = await project.engine("cli", more);
  try {
    return await work(engine, project.place.projectRoot);
  } finally {
    await project.close();
  }
}
