import type { Tree } from "../index/tree.ts";
import { Cookie } from "./cookie.ts";
import { FolderWatch } from "./folder-watch.ts";
import { WatchRefusal } from "./watch-refusal.ts";

/** What a look has seen; another object for each that saw something else. */
interface Seen {
  readonly trees: Iterable<Tree>;
}

export interface TreeWatchOptions {
  /** The newest look. */
  readonly seen: () => Seen;
  /** Called whenever something may have changed. */
  readonly heard: () => void;
  /** At most so many folders; by default half of what the system lets a user watch. */
  readonly maxFolders?: number | undefined;
}

/**
 * Knows in which folders of trees something may have changed, for certain: a call that begins now sees every change that was
 * made before. Where that cannot be said, it says so, and somebody has to look.
 */
export class TreeWatch {
  readonly #options: TreeWatchOptions;
  #folders: FolderWatch | undefined;
  #cookie: Cookie | undefined;
  #isReady = false;
  #refusal: WatchRefusal | undefined;

  constructor(options: TreeWatchOptions) {
    this.#options = options;
  }

  /** Why it cannot be relied on, where it cannot. */
  get refusal(): WatchRefusal | undefined {
    return this.#refusal;
  }

  /** Whether it knows what changes. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** How many folders are watched. */
  get size(): number {
    return this.#folders?.size ?? 0;
  }

  /** Begins to watch. Every folder counts as changed then: it was looked at before it was watched. */
  async start(): Promise<void> {
    this.#stop();
    const folders = new FolderWatch(this.#options.heard, this.#options.maxFolders);
    this.#folders = folders;
    await this.#orRefuse(async () => {
      if (process.platform !== "linux")
        throw new WatchRefusal(`on ${process.platform} not every change is reported`);
      await folders.sync(this.#options.seen().trees);
      const cookie = await Cookie.make();
      if (this.#folders !== folders) cookie.close();
      else this.#cookie = cookie;
      await this.#sync(folders);
    });
  }

  /**
   * The folders in which something may have changed up to now, each told once. Nothing where only a look at all of them
   * tells. One call at a time.
   */
  async changed(): Promise<ReadonlySet<string> | undefined> {
    if (!this.#isReady || !(await this.#cookie?.hasPassed())) return undefined;
    if (!this.#isReady || !this.#folders || this.#folders.mayHaveLost) return undefined;
    return this.#folders.takeChanged();
  }

  /** Those that `changed` told were not looked at after all. */
  putBack(folders: Iterable<string> | undefined): void {
    if (folders) this.#folders?.putBack(folders);
  }

  /** After a look: watches the folders that it has seen. */
  async follow(): Promise<void> {
    const folders = this.#folders;
    if (!folders || !this.#isReady) return;
    // Starts again in the background.
    if (folders.mayHaveLost) void this.start();
    else await this.#orRefuse(() => this.#sync(folders));
  }

  /** Whether folders that were watched are not any more, so that `follow` has something to do. */
  get isStale(): boolean {
    return this.#folders !== undefined && (this.#folders.isStale || this.#folders.mayHaveLost);
  }

  close(): void {
    this.#stop();
  }

  /** Until the folders are watched that the newest look has seen: another may come while this goes on. */
  async #sync(folders: FolderWatch): Promise<void> {
    this.#isReady = false;
    let seen: Seen;
    do {
      seen = this.#options.seen();
      await folders.sync(seen.trees);
    } while (seen !== this.#options.seen() && this.#folders === folders);
    this.#isReady = this.#folders === folders;
  }

  async #orRefuse(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#stop();
      this.#refusal = error instanceof WatchRefusal ? error : new WatchRefusal(String(error));
    }
  }

  #stop(): void {
    this.#isReady = false;
    this.#folders?.close();
    this.#folders = undefined;
    this.#cookie?.close();
    this.#cookie = undefined;
  }
}
