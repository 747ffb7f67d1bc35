import { Worker } from "node:worker_threads";
import type { FromSearch, SearchPlace, SearchQuery, SearchReply, ToSearch } from "./search-messages.ts";

/** What the thread reports on its own. */
export interface SearchEvents {
  /** The search is ready, on the catalog with this mark. */
  readonly ready: (mark: string) => void;
  readonly changed: () => void;
  readonly failed: (error: Error) => void;
}

/** The picker's side of its search thread. */
export class SearchThread {
  readonly #worker: Worker;
  /** Requests in order; answers come in the same order. */
  readonly #waiting: ((found: SearchReply | undefined) => void)[] = [];
  #isReady = false;

  constructor(place: SearchPlace, events: SearchEvents) {
    // Beside this file, from source or compiled.
    const name = import.meta.url.endsWith(".ts") ? "./search-worker.ts" : "./search-worker.js";
    // Its output must not end up on the drawn screen.
    this.#worker = new Worker(new URL(name, import.meta.url), {
      workerData: place,
      stderr: true,
      stdout: true,
    });
    // Do not keep the process alive for the thread.
    this.#worker.unref();
    this.#worker.on("message", (message: FromSearch) => {
      if (message.kind === "found") this.#waiting.shift()?.(message.found);
      else if (message.kind === "changed") events.changed();
      else {
        this.#isReady = true;
        events.ready(message.mark);
      }
    });
    this.#worker.on("error", (error) => {
      this.#end();
      events.failed(error);
    });
    this.#worker.on("exit", () => this.#end());
  }

  /** The results, best first; `undefined` while the index is being built or after the thread has stopped. */
  search(asked: SearchQuery): Promise<SearchReply | undefined> {
    if (!this.#isReady) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#say({ kind: "search", asked });
    });
  }

  /** A skill was switched on or off. */
  reload(): void {
    this.#say({ kind: "reload" });
  }

  #say(message: ToSearch): void {
    this.#worker.postMessage(message);
  }

  #end(): void {
    this.#isReady = false;
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
  }
}
