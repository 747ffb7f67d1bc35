import { loadConfig } from "@knack/core/internal";
import { type Engine, type EngineOptions, openEngine } from "@knack/engine";
import type { GlobalOptions } from "../options.ts";
import { noteOnce } from "../terminal/output.ts";
import { placeAt } from "./place.ts";

/** The engine of the project at hand. */
export async function openProjectEngine(
  options: GlobalOptions,
  actor: string,
  more: Pick<EngineOptions, "keepsWarm" | "guests"> = {},
): Promise<{ engine: Engine; project: string }> {
  const place = placeAt(options);
  const { projectRoot, cwd, env, home } = place;
  const { config, notes } = await loadConfig(place);
  for (const line of notes) noteOnce(line);
  const engine = await openEngine({
    projectRoot,
    cwd,
    registry: config.registry,
    store: config.store.url,
    env,
    home,
    trusted: "ask",
    allowNone: config.isolation.allowNone,
    actor,
    onNote: noteOnce,
    ...more,
  });
  return { engine, project: projectRoot };
}

/** Works with it, and closes its database whatever happens. */
export async function withEngine<T>(
  options: GlobalOptions,
  work: (engine: Engine, project: string) => Promise<T>,
  /** By default one skill runs and the program ends. */
  more: Pick<EngineOptions, "keepsWarm" | "guests"> = { keepsWarm: false },
): Promise<T> {
  const { engine, project } = await openProjectEngine(options, "cli", more);
  try {
    return await work(engine, project);
  } finally {
    await engine.close();
  }
}
