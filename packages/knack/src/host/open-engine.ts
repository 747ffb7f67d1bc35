import type { Engine, EngineOptions } from "@knack/engine";
import type { GlobalOptions } from "../options.ts";
import { openProject } from "./open-project.ts";

/** Works with the engine of the project at hand, and closes its database whatever happens. */
export async function withEngine<T>(
  options: GlobalOptions,
  work: (engine: Engine, projectRoot: string) => Promise<T>,
  /** By default one skill runs and the program ends. */
  more: Pick<EngineOptions, "keepsWarm" | "guests"> = { keepsWarm: false },
): Promise<T> {
  const project = openProject(options);
  // What it cannot be opened by is told as it is; only a refusal of the engine is put into other words.
  const engine = await project.engine("cli", more);
  try {
    return await work(engine, project.place.projectRoot);
  } finally {
    await project.close();
  }
}
