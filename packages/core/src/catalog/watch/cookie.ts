import { randomUUID } from "node:crypto";
import { closeSync, type FSWatcher, futimesSync, openSync, unlinkSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WatchRefusal } from "./watch-refusal.ts";

/** A notice that takes longer than this is not waited for. */
const LIMIT_MS = 200;

/**
 * Tells when all notices have come that the kernel has queued so far. All watches of a process share one inotify queue, which
 * is delivered in order: so a file of our own is touched, and once its notice is here, so is every earlier one. The file has
 * no name any more, so nothing is left behind however the process ends.
 */
export class Cookie {
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
