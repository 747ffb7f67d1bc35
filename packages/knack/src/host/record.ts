import { setTimeout as delay } from "node:timers/promises";
import type { SessionEvent } from "@knack/core";
import type { ConfigPlace, LiveConfig } from "@knack/core/config";
import { isStoreError, KnackError } from "@knack/core/text";
import type { Engine, EngineStore, Store } from "@knack/engine";
import { note, noteOnce } from "../terminal/output.ts";
import { escapeControl } from "../terminal/visible.ts";
import { actorOr } from "./access.ts";

/**
 * Writes events to a project's log. A project without a database has no log, and this creates none. If the log cannot be
 * written, that is reported once: skills can still be read with a full disk.
 */
export class Recorder {
  readonly #place: ConfigPlace;
  readonly #config: LiveConfig;
  /** Whose database it writes to; without an engine it opens one itself. */
  #engine: Engine | undefined;
  #store: EngineStore | undefined;
  #isTold = false;
  /** By call. */
  readonly #exists = new WeakMap<object, boolean>();
  /** Until then nothing is recorded, because the database did not answer. */
  #pausedUntil = 0;

  constructor(place: ConfigPlace, config: LiveConfig) {
    this.#place = place;
    this.#config = config;
  }

  /** From now on it writes through the engine's handle. */
  async use(engine: Engine): Promise<void> {
    this.#engine = engine;
    await this.close();
  }

  /**
   * `by`: what it came by, `cli` or a server and its client. For all events of one `call` it is looked once whether there is
   * a log. Answers whether there was.
   */
  async record(event: SessionEvent, by: string, call: object = event): Promise<boolean> {
    const log = this.#engine ?? (await this.#ownStore(by));
    const exists = this.#exists.get(call) ?? ("hasStore" in log ? log.hasStore : log.exists);
    this.#exists.set(call, exists);
    if (!exists || performance.now() < this.#pausedUntil) return false;
    const end = new AbortController();
    try {
      const store = "hasStore" in log ? log.store() : log.get();
      // Goes on when it is late: the database may still answer.
      const work = append(store, event, actorOr(by)).then(() => true);
      const late = delay(PATIENCE_MS, false, { signal: end.signal });
      for (const one of [work, late]) one.catch(() => undefined);
      if (await Promise.race([work, late])) return true;
      throw new KnackError("IO", "the database does not answer.");
    } catch (error) {
      if (!isStoreError(error)) throw error;
      this.#pausedUntil = performance.now() + PAUSE_MS;
      if (!this.#isTold) note(`note: Not recorded: ${escapeControl(error.message)}`);
      this.#isTold = true;
      return false;
    } finally {
      end.abort();
    }
  }

  async close(): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    await store?.close();
  }

  /** Made once: a configuration that is wrong later is no reason to record nothing. */
  async #ownStore(actor: string): Promise<EngineStore> {
    if (this.#store) return this.#store;
    const { projectRoot, env, home } = this.#place;
    const { url } = (await this.#config.current()).config.store;
    const { EngineStore } = await import("@knack/engine");
    this.#store ??= new EngineStore({ url, projectRoot, actor, tell: noteOnce, env, home });
    return this.#store;
  }
}

/** Somebody waits to read a skill: what is recorded of it must not hold that up for longer. */
const PATIENCE_MS = 3000;
const PAUSE_MS = 30_000;

async function append(
  opened: Promise<Store>,
  { type, actor, data }: SessionEvent,
  by: string,
): Promise<void> {
  const store = await opened;
  const event = { type, planId: null, taskId: null, runId: null, payload: { ...data, by: actor } };
  await store.db.transaction(
    (tx) => store.record(tx, [event], { actor: by, at: store.now().toISOString() }),
    { durable: false },
  );
}
