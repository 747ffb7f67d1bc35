import type { PostgresDatabase } from "../store/postgres/postgres.ts";
import type { Store } from "../store/store.ts";
import { type QueuedRun, queuedOf } from "./queued-run.ts";
import { Listener } from "./signals.ts";

/** Signals can be missed while the database is away. */
const LOOK_MS = 1000;
const ENDED = new Set(["SUCCEEDED", "DEAD", "CANCELLED"]);

interface Waiting {
  readonly ended: (run: QueuedRun) => void;
  readonly looked?: ((run: QueuedRun) => void) | undefined;
}

/** Waits for the ends of queued runs, any number of them over one connection. */
export class Follower {
  readonly #db: Store["db"];
  readonly #waiting = new Map<string, Waiting>();
  #listener: Listener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isAsked = false;

  private constructor(db: Store["db"]) {
    this.#db = db;
  }

  static async open(db: PostgresDatabase): Promise<Follower> {
    const follower = new Follower(db);
    follower.#listener = await Listener.open(db, {
      heard: ({ kind, names }) => {
        if (kind === "done" && names.some((id) => follower.#waiting.has(id))) follower.#look();
      },
      connected: (isBack) => {
        if (isBack) follower.#look();
      },
    });
    follower.#timer = setInterval(() => follower.#look(), LOOK_MS);
    return follower;
  }

  /** Resolves when the run has ended; `looked` is called with it about every second until then. */
  async ended(id: string, signal: AbortSignal, looked?: (run: QueuedRun) => void): Promise<QueuedRun> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<QueuedRun>();
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    this.#waiting.set(id, { ended: resolve, looked });
    try {
      // It may have ended before anybody listened.
      this.#look();
      return await promise;
    } finally {
      this.#waiting.delete(id);
      signal.removeEventListener("abort", abort);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#waiting.clear();
    await this.#listener?.close();
    await this.#looking;
  }

  /** One look at a time; who asks during one gets another after it, because its statement may have come too early. */
  #look(): void {
    if (this.#looking) {
      this.#isAsked = true;
      return;
    }
    this.#looking = this.#lookOnce().finally(() => {
      this.#looking = undefined;
      if (this.#isAsked && this.#waiting.size > 0) this.#look();
      this.#isAsked = false;
    });
  }

  async #lookOnce(): Promise<void> {
    const ids = [...this.#waiting.keys()];
    for (let from = 0; from < ids.length; from += 500) {
      const some = ids.slice(from, from + 500);
      const rows = await this.#db
        .all(`SELECT * FROM queued_runs WHERE queue_id IN (${some.map(() => "?").join(", ")})`, some)
        // The database is away for long; the next look may find it.
        .catch(() => []);
      for (const row of rows) {
        const run = queuedOf(row);
        const waiting = this.#waiting.get(run.id);
        if (ENDED.has(run.state)) waiting?.ended(run);
        else waiting?.looked?.(run);
      }
    }
  }
}
