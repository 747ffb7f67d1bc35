import { TreeWatch } from "../catalog/watch/tree-watch.ts";
import type { WatchRefusal } from "../catalog/watch/watch-refusal.ts";
import type { Catalog } from "../open-catalog.ts";

export interface ProjectWatchOptions {
  /** The newest catalog. */
  readonly catalog: () => Catalog;
  /** Brings the catalog up to date, as for a call. */
  readonly refresh: () => Promise<unknown>;
  /** `KNACK_WATCH=off`: nothing is watched, every call looks. */
  readonly env: NodeJS.ProcessEnv;
  readonly maxFolders?: number | undefined;
}

/** To watch thousands of folders takes time that the first answers should have. */
const START_MS = 500;
/** How long to wait after a change for the next one: an editor saves in several steps. */
const SETTLE_MS = 50;
/** While folders are watched, for what they do not tell: configuration, trust, registry files, roots. */
const CHECK_MS = 1_000;
/** While they are watched, for what nobody tells: writes through memory maps, second names, mounts. */
const LOOK_MS = 60_000;
/** Where they cannot be watched. */
const POLL_MS = 2_000;
/** A long look must not follow upon a long look: at most a fiftieth of the time goes into them. */
const REST = 50;

/** Keeps a catalog up to date in the background, and tells a call what it need not look at. */
export class ProjectWatch {
  readonly #options: ProjectWatchOptions;
  readonly #trees: TreeWatch;
  #timer: NodeJS.Timeout | undefined;
  #isDue = 0;
  #lastLook = performance.now();
  #lookMs = 0;
  #isClosed = false;

  constructor(options: ProjectWatchOptions) {
    this.#options = options;
    const { catalog: seen, maxFolders } = options;
    this.#trees = new TreeWatch({ seen, maxFolders, heard: () => this.#heard() });
    this.#timer = setTimeout(() => void this.#start(), START_MS).unref();
  }

  /** Why every call has to look at all files, where it has to. */
  get refusal(): WatchRefusal | undefined {
    return this.#trees.refusal;
  }

  get isReady(): boolean {
    return this.#trees.isReady;
  }

  /** See `TreeWatch.changed`. */
  changed(): Promise<ReadonlySet<string> | undefined> {
    return this.#trees.changed();
  }

  putBack(folders: ReadonlySet<string> | undefined): void {
    this.#trees.putBack(folders);
  }

  /** A look is over that took so long; `isNew`: it saw something else than the one before. */
  async looked(isNew: boolean, ms = this.#lookMs): Promise<void> {
    this.#lookMs = ms;
    if (!isNew && !this.#trees.isStale) return;
    await this.#trees.follow();
    // What was new is looked at once more: it may have changed before it was watched.
    this.#heard();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#trees.close();
  }

  async #start(): Promise<void> {
    if (this.#options.env.KNACK_WATCH?.toLowerCase() !== "off") await this.#trees.start();
    await this.#work();
  }

  /** In a storm of changes the looks leave time for others. */
  #heard(): void {
    this.#plan(Math.max(SETTLE_MS, this.#lookMs * 3));
  }

  async #work(): Promise<void> {
    this.#timer = undefined;
    if (this.#isClosed) return;
    const now = performance.now();
    if (this.#trees.isReady && now - this.#lastLook > Math.max(LOOK_MS, this.#lookMs * REST)) {
      this.#lastLook = now;
      for (const { paths } of this.#options.catalog().trees) this.#trees.putBack(paths);
    }
    // A failed scan is reported to the calls that need it; the next one may succeed.
    await this.#options.refresh().catch(() => undefined);
    this.#plan(this.#trees.isReady ? CHECK_MS : Math.max(POLL_MS, this.#lookMs * REST));
  }

  /** The next work at the latest in so many milliseconds. */
  #plan(ms: number): void {
    const at = performance.now() + ms;
    if (this.#isClosed || (this.#timer && this.#isDue <= at)) return;
    clearTimeout(this.#timer);
    this.#isDue = at;
    this.#timer = setTimeout(() => void this.#work(), ms).unref();
  }
}
