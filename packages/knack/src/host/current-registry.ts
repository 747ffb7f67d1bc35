import type { Runtime } from "@knack/core";
import { type Engine, engineTools } from "@knack/engine";
import { stampOf } from "./file-stamp.ts";

/** The typed skills as the registry files declare them now; which files these are is settled at the start. */
export class CurrentRegistry {
  readonly #runtime: Runtime;
  readonly #engine: Engine;
  readonly #files: readonly string[];
  readonly #changed: () => Promise<void>;
  #stamp: string;
  #reading: Promise<void> = Promise.resolve();

  /** `changed` is called after each reading. */
  constructor(runtime: Runtime, engine: Engine, changed: () => Promise<void>) {
    this.#runtime = runtime;
    this.#engine = engine;
    this.#changed = changed;
    this.#files = runtime.catalog.config.registry;
    this.#stamp = stampOf(this.#files);
  }

  /** Looks at the files, and reads them where they are others than before. */
  look(): Promise<void> {
    const stamp = stampOf(this.#files);
    // What failed before says nothing about the files as they are now.
    if (stamp !== this.#stamp) this.#reading = this.#reading.catch(() => undefined).then(() => this.#read());
    this.#stamp = stamp;
    return this.#reading;
  }

  async #read(): Promise<void> {
    await this.#engine.reload();
    this.#runtime.replaceTypedSkills(engineTools(this.#engine));
    await this.#changed();
  }
}
