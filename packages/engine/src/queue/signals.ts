import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import type { Database } from "../store/database.ts";
import { CarefulClient, type PostgresDatabase } from "../store/postgres/postgres.ts";
import type { Store } from "../store/store.ts";
import { findQueuedRuns, type QueuedRun } from "./queued-run.ts";

/** `lane`: something waits there. `cancel`: this job. `done`: this run. They only save waiting: whoever listens also looks now and then. */
type SignalKind = "lane" | "cancel" | "done";

const RETRY_MS = 250;

/** Channels belong to the whole database; a schema has one of its own, which a statement computes from the search path. */
const CHANNEL = "'knack_' || left(encode(sha256(current_schema()::text::bytea), 'hex'), 40)";

/** Part of a statement that changes rows of `queued_runs`: tells who follows these runs, if the transaction commits. */
export const TELL_DONE = `pg_notify(${CHANNEL}, 'done ' || queue_id)`;

export async function tell(tx: Database, kind: SignalKind, name: string): Promise<void> {
  await tx.get(`SELECT pg_notify(${CHANNEL}, ?)`, [`${kind} ${name}`]);
}

interface ListenerOptions {
  readonly onSignal: (kind: SignalKind, name: string) => void;
  /** Called when the connection is lost, and with `true` when it is there again: signals were missed meanwhile. */
  readonly connected?: (isBack: boolean) => void;
}

/** A connection of its own that hears signals, and connects again when it is lost. */
export class Listener {
  readonly #address: PostgresDatabase["address"];
  readonly #options: ListenerOptions;
  #client: pg.Client | undefined;
  #isClosed = false;

  private constructor(address: PostgresDatabase["address"], options: ListenerOptions) {
    this.#address = address;
    this.#options = options;
  }

  static async open({ address }: PostgresDatabase, options: ListenerOptions): Promise<Listener> {
    const listener = new Listener(address, options);
    await listener.#connect().catch(() => void listener.#reconnect());
    return listener;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const { connectionString, schema } = this.#address;
    const client = new CarefulClient({
      connectionString,
      application_name: "knack",
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
      connectionTimeoutMillis: 5000,
    });
    const lost = (): void => {
      if (this.#client !== client) return;
      this.#client = undefined;
      client.end().catch(() => undefined);
      this.#options.connected?.(false);
      void this.#reconnect();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ payload = "" }) => {
      const [kind, name = ""] = payload.split(" ");
      if (kind === "lane" || kind === "cancel" || kind === "done") this.#options.onSignal(kind, name);
    });
    try {
      await client.connect();
      await client.query(`LISTEN knack_${hash("sha256", schema).slice(0, 40)}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    if (this.#isClosed) await client.end().catch(() => undefined);
    else this.#client = client;
  }

  async #reconnect(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#connect();
        if (!this.#isClosed) this.#options.connected?.(true);
        return;
      } catch {
        // The database is still away.
        await wait(RETRY_MS * (0.5 + Math.random()), undefined, { ref: false });
      }
    }
  }
}

/** A sleep that can be ended early, also before it begins. */
export class Alarm {
  #rung = Promise.withResolvers<void>();

  wake(): void {
    this.#rung.resolve();
  }

  async sleep(ms: number): Promise<void> {
    const timer = setTimeout(() => this.wake(), ms);
    await this.#rung.promise;
    clearTimeout(timer);
    this.#rung = Promise.withResolvers();
  }
}

/** Signals can be missed while the database is away. */
const LOOK_MS = 1000;
const ENDED = new Set(["SUCCEEDED", "DEAD", "CANCELLED"]);

interface Waiting {
  readonly ended: (run: QueuedRun) => void;
  readonly looked?: ((run: QueuedRun) => void) | undefined;
}

export class Follower {
  readonly #db: Store["db"];
  readonly #waiting = new Map<string, Waiting>();
  readonly #alarm = new Alarm();
  #listener: Listener | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  private constructor(db: Store["db"]) {
    this.#db = db;
  }

  static async open(db: PostgresDatabase): Promise<Follower> {
    const follower = new Follower(db);
    follower.#listener = await Listener.open(db, {
      onSignal: (kind, name) => {
        if (kind === "done" && follower.#waiting.has(name)) follower.#alarm.wake();
      },
      connected: () => follower.#alarm.wake(),
    });
    follower.#looking = follower.#look();
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
      this.#alarm.wake();
      return await promise;
    } finally {
      this.#waiting.delete(id);
      signal.removeEventListener("abort", abort);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    this.#alarm.wake();
    await this.#listener?.close();
    await this.#looking;
  }

  /** One look at a time; who asks during one gets another after it, because its statement may have come too early. */
  async #look(): Promise<void> {
    while (!this.#isClosed) {
      await this.#alarm.sleep(LOOK_MS);
      const ids = [...this.#waiting.keys()];
      if (ids.length === 0) continue;
      const where = `WHERE queue_id IN (${ids.map(() => "?").join(", ")})`;
      // Where the database is away for long, the next look may find it.
      for (const run of await findQueuedRuns(this.#db, where, ids).catch(() => [])) {
        const waiting = this.#waiting.get(run.id);
        if (ENDED.has(run.state)) waiting?.ended(run);
        else waiting?.looked?.(run);
      }
    }
  }
}
