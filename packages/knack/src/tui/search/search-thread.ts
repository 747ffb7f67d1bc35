import { Worker } from "node:worker_threads";
import type { FromSearch, SearchPlace, SearchQuery, SearchReply, ToSearch } from "./search-messages.ts";

/** What the thread tells without being asked. */
export interface SearchEvents {
  /** It answers from now on, about the catalog of this mark. */
  readonly ready: (mark: string) => void;
  readonly changed: () => void;
  readonly failed: (error: Error) => void;
}

/** The picker's side of its search thread. */
export class SearchThread {
  readonly #worker: Worker;
  /** In the order in which they were asked, which is that of the answers. */
  readonly #waiting: ((found: SearchReply | undefined) => void)[] = [];
  #isReady = false;

  constructor(place: SearchPlace, events: SearchEvents) {
    // Beside this file, as source or compiled.
    const name = import.meta.url.endsWith(".ts") ? "./search-worker.ts" : "./search-worker.js";
    // What it would print has no place on a drawn screen.
    this.#worker = new Worker(new URL(name, import.meta.url), {
      workerData: place,
      stderr: true,
      stdout: true,
    });
    // The keys keep the picker open; its end does not wait for a thread.
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

  /** The skills that fit, best first; nothing while the index is being made, or when the thread is gone. */
  search(asked: SearchQuery): Promise<SearchReply | undefined> {
    if (!this.#isReady) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#say({ kind: "search", asked });
    });
  }

  /** A switch has changed. */
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
