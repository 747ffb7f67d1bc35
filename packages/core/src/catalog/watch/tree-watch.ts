import { randomUUID } from "node:crypto";
import { closeSync, type FSWatcher, futimesSync, openSync, unlinkSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tree } from "../tree.ts";
import { FolderWatch, WatchRefusal } from "./folder-watch.ts";

/** A notice that takes longer than this is not waited for. */
const LIMIT_MS = 200;

/**
 * Tells when all notices have come that the kernel has queued so far. All watches of a process share one inotify queue, which
 * is delivered in order: so a file of our own is touched, and once its notice is here, so is every earlier one. The file has
 * no name any more, so nothing is left behind however the process ends.
 */
class Cookie {
  readonly #file: number;
  readonly #watcher: FSWatcher;
  #arrived: (() => void) | undefined;
  /** Changed, and the notice has not come: a late one must not count for the next change. */
  #isOut = true;

  private constructor(file: number, path: string) {
    this.#file = file;
    this.#watcher = watch(path, { persistent: false }, () => {
      this.#isOut = false;
      this.#arrived?.();
    });
    // Nothing to do: without its notices `hasPassed` answers no.
    this.#watcher.on("error", () => undefined);
  }

  /** Throws where nothing can be watched, or no file be made. */
  static async make(): Promise<Cookie> {
    const path = join(tmpdir(), `knack-${randomUUID()}`);
    const file = openSync(path, "wx", 0o600);
    let cookie: Cookie;
    try {
      cookie = new Cookie(file, path);
    } catch (error) {
      closeSync(file);
      throw error;
    } finally {
      unlinkSync(path);
    }
    // To lose its name is a change, too: the first notice.
    await cookie.#wait();
    if (!cookie.#isOut) return cookie;
    cookie.close();
    throw new WatchRefusal("the system does not report changes");
  }

  /** True once every notice has come that was queued before; false where that takes too long. One at a time. */
  async hasPassed(): Promise<boolean> {
    if (this.#isOut) return false;
    this.#isOut = true;
    const waited = this.#wait();
    futimesSync(this.#file, 1, 1);
    await waited;
    return !this.#isOut;
  }

  close(): void {
    this.#watcher.close();
    closeSync(this.#file);
  }

  #wait(): Promise<void> {
    return new Promise((done) => {
      // It also keeps the process while somebody waits: the watcher alone does not.
      const timer = setTimeout(done, LIMIT_MS);
      this.#arrived = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}

/** What a look has seen; another object for each that saw something else. */
interface Seen {
  readonly trees: Iterable<Tree>;
}

interface TreeWatchOptions {
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
