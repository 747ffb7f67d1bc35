import type { Runtime } from "@knack/core";
import { type LivePart, stampOf } from "@knack/core/internal";
import { type Engine, engineTools } from "@knack/engine";
import { isNamed } from "./access/caller.ts";
import { forRunners } from "./access/required-role.ts";

/** The typed skills of a project, kept as its registry files declare them now. */
export class LiveRegistry implements LivePart {
  readonly #runtime: Runtime;
  readonly #engine: Engine;
  #stamp: string;

  /** `stamp`: of the files, from before the engine read them. */
  constructor(runtime: Runtime, engine: Engine, stamp: string) {
    this.#runtime = runtime;
    this.#engine = engine;
    this.#stamp = stamp;
  }

  async refresh(force: boolean): Promise<boolean> {
    const { registry } = this.#runtime.catalog.config;
    const stamp = registryStamp(registry, this.#engine.isTrusted);
    if (!force && stamp !== "" && stamp === this.#stamp) return false;
    const before = this.#content();
    await this.#engine.reload(registry);
    this.#stamp = stamp;
    if (before === this.#content()) return false;
    this.#runtime.replaceTypedSkills(engineTools(this.#engine, isNamed).map(forRunners));
    return true;
  }

  #content(): string {
    const { skills, errors, leftOut, isTrusted } = this.#engine;
    return JSON.stringify([skills, errors, leftOut, isTrusted]);
  }
}

/** What tells one state of the registry files from another; of an untrusted project other entries count. */
export function registryStamp(files: readonly string[], isTrusted: boolean): string {
  const stamp = stampOf(files);
  return stamp && `${stamp} ${isTrusted}`;
}
