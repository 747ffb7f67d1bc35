import { setTimeout as delay } from "node:timers/promises";
import type { Catalog, Runtime, RuntimeOptions } from "@knack/core";
import { type Engine, engineTools } from "@knack/engine";
import type { GlobalOptions } from "../options.ts";
import { messageOf } from "../terminal/message-of.ts";
import { note } from "../terminal/output.ts";
import { visible } from "../terminal/visible.ts";
import { CurrentRegistry } from "./current-registry.ts";
import { openProjectEngine } from "./open-engine.ts";
import { openRuntime } from "./open-runtime.ts";

const GRACE_MS = 10_000;
/** How often the registry files are looked at while somebody follows. */
const LOOK_MS = 1_000;
/** To watch thousands of folders takes time that the first answers should have. What changes until then is seen all the same. */
const BEFORE_WATCHING_MS = 500;

/** What every server is made of: the skills, the engine that runs the typed ones, and word of changes. */
export class Host {
  readonly runtime: Runtime;
  readonly engine: Engine;
  readonly registry: CurrentRegistry;
  readonly #end = new AbortController();
  readonly #listeners = new Set<(catalog: Catalog) => void>();
  #watching: Promise<void> | undefined;
  #looking: NodeJS.Timeout | undefined;
  #catalog: Catalog;

  constructor(runtime: Runtime, engine: Engine) {
    this.runtime = runtime;
    this.#catalog = runtime.catalog;
    this.engine = engine;
    this.registry = new CurrentRegistry(runtime, engine, () => this.#renew());
  }

  /** The newest that is known, where somebody follows; else the first. */
  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Calls `changed` with each next catalog, until it is told to stop or the host is closed. */
  follow(changed: (catalog: Catalog) => void): () => void {
    this.#listeners.add(changed);
    this.#watching ??= this.#watch();
    this.#looking ??= setInterval(() => void this.registry.look(), LOOK_MS).unref();
    return () => this.#listeners.delete(changed);
  }

  /** Ends the runs in flight; whoever else has work was told to give it up, and gets a moment for it. */
  async close(): Promise<void> {
    this.#end.abort();
    clearInterval(this.#looking);
    await this.engine.close();
    await Promise.race([this.runtime.idle(), delay(GRACE_MS, undefined, { ref: false })]);
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#end;
    try {
      await delay(BEFORE_WATCHING_MS, undefined, { ref: false, signal });
      for await (const next of this.runtime.catalog.watch({ signal })) this.#tell(next);
    } catch (error) {
      if (!signal.aborted) note(`note: Changes are no longer watched: ${visible(messageOf(error))}`);
    }
  }

  /** Which tools a skill may name depends on the registry, so that the catalog is another, too. */
  async #renew(): Promise<void> {
    try {
      this.#tell(await this.#catalog.reload());
    } catch (error) {
      note(`note: The skills could not be reloaded: ${visible(messageOf(error))}`);
    }
  }

  #tell(next: Catalog): void {
    this.#catalog = next;
    for (const changed of this.#listeners) changed(next);
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
