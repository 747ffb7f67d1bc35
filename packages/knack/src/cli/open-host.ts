import { setTimeout as delay } from "node:timers/promises";
import type { Catalog, Runtime, RuntimeOptions } from "@knack/core";
import { type Engine, engineTools } from "@knack/engine";
import { openProjectEngine } from "./open-engine.ts";
import { openRuntime } from "./open-runtime.ts";
import type { GlobalOptions } from "./options.ts";
import { note } from "./output.ts";
import { visible } from "./visible.ts";

const GRACE_MS = 10_000;

/** What every server is made of: the skills, the engine that runs the typed ones, and word of changes. */
export class Host {
  readonly runtime: Runtime;
  readonly engine: Engine;
  readonly #end = new AbortController();
  readonly #listeners = new Set<(catalog: Catalog) => void>();
  #watching: Promise<void> | undefined;

  constructor(runtime: Runtime, engine: Engine) {
    this.runtime = runtime;
    this.engine = engine;
  }

  /** Calls `changed` with each next catalog, until it is told to stop or the host is closed. */
  follow(changed: (catalog: Catalog) => void): () => void {
    this.#listeners.add(changed);
    this.#watching ??= this.#watch();
    return () => this.#listeners.delete(changed);
  }

  /** Ends the runs in flight; whoever else has work was told to give it up, and gets a moment for it. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.engine.close();
    await Promise.race([this.runtime.idle(), delay(GRACE_MS, undefined, { ref: false })]);
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#end;
    try {
      for await (const next of this.runtime.catalog.watch({ signal }))
        for (const changed of this.#listeners) changed(next);
    } catch (error) {
      if (signal.aborted) return;
      note(
        `note: Changes are no longer watched: ${visible(error instanceof Error ? error.message : String(error))}`,
      );
    }
  }
}

/** Opens a host for the project at hand; `by` is what its records name. */
export async function openHost(
  options: GlobalOptions,
  by: string,
  more: Partial<RuntimeOptions> = {},
): Promise<Host> {
  const { engine } = await openProjectEngine(options, by);
  try {
    return new Host(await openRuntime(options, { ...more, by, tools: engineTools(engine) }), engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
}
