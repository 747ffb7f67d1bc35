import { foreignNote, type StatePlace, type TrustPlace, userState } from "@knack/core/internal/engine";
import { appendEvents } from "../audit/chain.ts";
import { storeIdentity } from "../store/open-store.ts";
import { openState } from "../store/place/open-state.ts";
import type { Store } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import { tracedDatabase } from "../store/traced-database.ts";

interface Opened {
  readonly identity: string;
  readonly store: Store;
}

export interface EngineStoreOptions extends TrustPlace {
  /** Where the state is; asked again at each call, because trust and files may change meanwhile. */
  readonly find: () => StatePlace;
  /** Whom the log names; a function is asked for each record. */
  readonly actor: string | (() => string);
  /** The project whose state it is, if known. */
  readonly projectRoot?: string;
  /** What a person should know, a line each. */
  readonly tell?: ((line: string) => void) | undefined;
}

/**
 * The database of an engine, opened on first use. If it could not be opened, the next call tries again. If its file was
 * removed or replaced, running work keeps the old one, and the current file is opened: records must be where the user looks.
 */
export class EngineStore {
  readonly #options: EngineStoreOptions;
  #current: Promise<Opened> | undefined;
  readonly #all = new Set<Store>();

  constructor(options: EngineStoreOptions) {
    this.#options = options;
  }

  /** Where the state is now. */
  get place(): StatePlace {
    return this.#find();
  }

  get exists(): boolean {
    return this.#find().exists;
  }

  async get(): Promise<Store> {
    const before = this.#current;
    // The caller that opened it got the error.
    const opened = await before?.catch(() => undefined);
    const place = this.#find();
    if (opened && opened.identity === identityOf(place)) return opened.store;
    // Of many who ask at once, the first opens it.
    if (this.#current === before) this.#current = this.#open(place);
    return (await (this.#current ?? this.#open(place))).store;
  }

  async close(): Promise<void> {
    this.#current = undefined;
    const stores = [...this.#all];
    this.#all.clear();
    for (const { db } of stores) await db.close();
  }

  #find(): StatePlace {
    const place = this.#options.find();
    const line = foreignNote(place);
    if (line !== undefined) this.#options.tell?.(line);
    return place;
  }

  async #open(place: StatePlace): Promise<Opened> {
    const store = await this.#openAt(place).catch((error: unknown) => {
      const { projectRoot } = this.#options;
      if (!isOtherStore(error, place) || projectRoot === undefined) throw error;
      this.#options.tell?.(
        `${error.message} Until then, Knack keeps the state of this project in your own folder.`,
      );
      return this.#openAt(userState({ ...this.#options, projectRoot }));
    });
    this.#all.add(store);
    return { identity: identityOf(place), store };
  }

  async #openAt(place: StatePlace): Promise<Store> {
    const { actor } = this.#options;
    const opened = await openState(place, this.#options, {
      actor: "",
      record: appendEvents,
      tell: this.#options.tell,
    });
    return {
      ...opened,
      db: tracedDatabase(opened.db, place.url),
      get actor() {
        return typeof actor === "string" ? actor : actor();
      },
    };
  }
}

/** A database stands where this user's was, and is another. */
function isOtherStore(error: unknown, place: StatePlace): error is StoreError {
  return place.storeId !== undefined && error instanceof StoreError && error.code === "FOREIGN";
}

/** Another after the file was replaced, or the state is elsewhere. */
function identityOf({ url }: StatePlace): string {
  return `${url} ${storeIdentity(url) ?? ""}`;
}
