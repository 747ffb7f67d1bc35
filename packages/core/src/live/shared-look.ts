import type { Catalog } from "../open-catalog.ts";

const looks = new WeakMap<Catalog, SharedLook>();

/** The one that all conversations share which began with this catalog. */
export function sharedLook(first: Catalog): SharedLook {
  const known = looks.get(first) ?? new SharedLook(first);
  looks.set(first, known);
  return known;
}

/**
 * The skills as they are now. Each call of a tool wants a look at the files that began after the call; those that wait for
 * the same moment get the same look.
 */
export class SharedLook {
  #newest: Catalog;
  #running: Promise<Catalog> | undefined;
  #following: Promise<Catalog> | undefined;

  constructor(first: Catalog) {
    this.#newest = first;
  }

  /** As the last look saw them. */
  get newest(): Catalog {
    return this.#newest;
  }

  take(): Promise<Catalog> {
    if (!this.#running) return this.#begin();
    // The one that is under way may have passed what changed just before this call.
    const next = (): Promise<Catalog> => this.#begin();
    this.#following ??= this.#running.then(next, next);
    return this.#following;
  }

  #begin(): Promise<Catalog> {
    this.#following = undefined;
    this.#running = this.#look();
    return this.#running;
  }

  async #look(): Promise<Catalog> {
    try {
      this.#newest = await this.#newest.update();
      return this.#newest;
    } finally {
      this.#running = undefined;
    }
  }
}
