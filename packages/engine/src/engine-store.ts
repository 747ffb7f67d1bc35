import { openLog } from "./audit/open-log.ts";
import { storeExists, storeIdentity } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";

interface Opened {
  readonly identity: string | undefined;
  readonly store: Store;
}

/**
 * The database of an engine, opened when it is first needed. One that could not be opened is tried again at the next
 * call; one whose file was taken away or replaced meanwhile is left to those who still work with it, and the file that is
 * there now is opened: what is told to be recorded must be where the user looks.
 */
export class EngineStore {
  readonly #url: string;
  readonly #actor: string;
  readonly #onOpened: (store: Store) => Promise<void>;
  #current: Promise<Opened> | undefined;
  readonly #all = new Set<Store>();

  constructor(url: string, actor: string, onOpened: (store: Store) => Promise<void> = async () => undefined) {
    this.#url = url;
    this.#actor = actor;
    this.#onOpened = onOpened;
  }

  get exists(): boolean {
    return storeExists(this.#url);
  }

  async get(): Promise<Store> {
    const before = this.#current;
    // Whoever opened it was told why it failed.
    const opened = await before?.catch(() => undefined);
    if (opened && opened.identity === storeIdentity(this.#url)) return opened.store;
    // Of many who ask at once, the first opens it.
    if (this.#current === before) this.#current = this.#open();
    return (await (this.#current ?? this.#open())).store;
  }

  async close(): Promise<void> {
    this.#current = undefined;
    const stores = [...this.#all];
    this.#all.clear();
    for (const { db } of stores) await db.close();
  }

  async #open(): Promise<Opened> {
    const store = await openLog(this.#url, this.#actor);
    this.#all.add(store);
    await this.#onOpened(store);
    return { identity: storeIdentity(this.#url), store };
  }
}
