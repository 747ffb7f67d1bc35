import { AsyncLocalStorage } from "node:async_hooks";
import { hash, randomBytes } from "node:crypto";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config, SessionEvent } from "@knack/core";
import { cacheFolder } from "@knack/core/catalog";
import type { ConfigPlace, LiveConfig } from "@knack/core/config";
import type { Engine, Store } from "@knack/engine";
import type { EngineStore } from "@knack/engine/state";
import { note, noteOnce } from "../terminal/output.ts";
import { escapeControl, messageOf } from "../terminal/visible.ts";
import { version } from "../version.ts";
import { within } from "../within.ts";
import { actorOr } from "./access.ts";

export interface Origin {
  /** Whom the log names: `cli`, or a server and its client. */
  readonly by: string;
  /** The client and its version, as it gives them; by default Knack's own. */
  readonly client?: string | undefined;
  /** The same for all events of one conversation; `null` where nobody knows. By default the process is one. */
  readonly conversation?: string | null;
}

/** An event, or how to find out what it was, which is done when nobody waits for an answer. */
export type Recordable = SessionEvent | (() => Promise<SessionEvent | undefined>);

type Settings = Pick<Config, "record" | "store">;

interface Waiting<Event = Taken | undefined | (() => Promise<Taken | undefined>)> extends Origin {
  readonly event: Event;
  readonly happened: number;
}

/** An event with what may be kept of its words: no more waits in memory than is written. */
type Taken = Omit<SessionEvent, "words"> & { readonly words: Words | undefined };
type Words = Readonly<Record<"full" | "use", object>>;

export function newConversation(): string {
  return randomBytes(8).toString("hex");
}

/**
 * Writes what was used to a project's log, after the answer: a server in the background, a command when it has printed its
 * result. Whatever goes wrong with that is reported once and keeps nobody from reading a skill.
 */
export class Recorder {
  readonly #place: ConfigPlace;
  readonly #config: LiveConfig;
  readonly #conversation = newConversation();
  /** Whose database it writes to; without an engine it opens one itself. */
  #engine: Engine | undefined;
  #store: EngineStore | undefined;
  #known: Settings | undefined;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Not as a part of the call that happens to begin it: it writes for others too. */
  readonly #flushApart = AsyncLocalStorage.bind(() => void this.flush());
  #writing: Promise<void> = Promise.resolve();
  #isTold = false;
  /** Until then nothing is recorded, because the database did not answer. */
  #pausedUntil = 0;

  constructor(place: ConfigPlace, config: LiveConfig) {
    this.#place = place;
    this.#config = config;
  }

  /** From now on it writes through the engine's handle, and without being asked: whoever has an engine goes on for a while. */
  use(engine: Engine): void {
    this.#engine = engine;
    this.#schedule();
  }

  /** Takes the event; nothing is written yet. */
  record(given: Recordable, origin: Origin): void {
    const happened = performance.now();
    // A database that is away for long must not fill the memory.
    if (this.#waiting.length >= MAX_WAITING || happened < this.#pausedUntil) return;
    const event = typeof given === "function" ? async () => take(await given()) : take(given);
    this.#waiting.push({ ...origin, by: actorOr(origin.by), event, happened });
    this.#schedule();
  }

  /** Writes what waits. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Writes the rest, for a moment: nobody waits longer for the end of a command because of its record. */
  async close(): Promise<void> {
    const done = this.flush()
      .then(() => this.#store?.close())
      .catch((error: unknown) => this.#tell(messageOf(error)));
    // It goes on when it is late: the database may still answer.
    if ((await within(END_MS, done, "late")) !== "late") return;
    this.#tell("the database does not answer.");
    this.#rememberSilence();
  }

  /** For the commands of the next moments: not each of them waits for a server that is silent. */
  #rememberSilence(): void {
    const file = this.#silenceFile();
    try {
      if (file === undefined) return;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "");
    } catch {
      // Then they wait.
    }
  }

  /** Its time is when the server was silent last. */
  #silenceFile(): string | undefined {
    const { env, home } = this.#place;
    const { url } = this.#known?.store ?? {};
    return url?.startsWith("postgres")
      ? join(cacheFolder(env, home), "silent", hash("sha256", url))
      : undefined;
  }

  #schedule(): void {
    if (!this.#engine || this.#waiting.length === 0) return;
    this.#timer ??= setTimeout(this.#flushApart, SOON_MS);
  }

  async #write(): Promise<void> {
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0) return;
    try {
      const { record, store } = await this.#settings();
      if (record === "off") return;
      const found: Waiting<Taken>[] = [];
      for (const one of waiting) {
        // Where the skills cannot be listed now, the client was not shown them either.
        const event = typeof one.event === "function" ? await one.event().catch(() => undefined) : one.event;
        if (event) found.push({ ...one, event });
      }
      if (found.length > 0) await this.#append(await this.#open(store.url), found, record);
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#tell(messageOf(error));
    }
  }

  /** A configuration that is wrong later is no reason to record nothing. */
  async #settings(): Promise<Settings> {
    try {
      this.#known = (await this.#config.current()).config;
    } catch (error) {
      if (!this.#known) throw error;
    }
    return this.#known;
  }

  async #append(store: Store, found: readonly Waiting<Taken>[], level: keyof Words): Promise<void> {
    await store.db.transaction(
      async (tx) => {
        for (const { event, by, client = `knack/${version}`, happened, ...origin } of found) {
          const { type, actor, data, words } = event;
          const { conversation = this.#conversation } = origin;
          const from = { by: actor, client, ...(conversation === null ? {} : { conversation }) };
          // By the clock of the database, as everything else in the log.
          const at = new Date(store.now().getTime() - (performance.now() - happened)).toISOString();
          await store.record(tx, [{ type, payload: { ...data, ...words?.[level], ...from } }], {
            actor: by,
            at,
          });
        }
      },
      { durable: false },
    );
  }

  async #open(url: string | null): Promise<Store> {
    if (this.#engine) return this.#engine.store();
    const file = this.#silenceFile();
    const silence = file && statSync(file, { throwIfNoEntry: false });
    if (silence && Date.now() - silence.mtimeMs < PAUSE_MS)
      throw new Error("the database did not answer a moment ago.");
    const { EngineStore } = await import("@knack/engine/state");
    this.#store ??= new EngineStore({ ...this.#place, url, actor: "", tell: noteOnce, limitMs: END_MS });
    return this.#store.get();
  }

  #tell(why: string): void {
    if (!this.#isTold) note(`note: This use was not recorded: ${escapeControl(why)}`);
    this.#isTold = true;
  }
}

/** How long a server gathers events: its answers are on their way by then. */
const SOON_MS = 50;
const END_MS = 1000;
const PAUSE_MS = 30_000;
const MAX_WAITING = 10_000;
/** A record is for reading later; a page that was pasted in is not. */
const MAX_TEXT = 500;

/** The same words have the same digest, so that a log shows what was asked for again. */
function take(event: SessionEvent | undefined): Taken | undefined {
  if (!event?.words) return event && { ...event, words: undefined };
  const text = JSON.stringify(event.words);
  const cut = (_key: string, value: unknown): unknown =>
    typeof value === "string" ? value.slice(0, MAX_TEXT).toWellFormed() : value;
  const full = JSON.parse(text, cut) as object;
  return { ...event, words: { full, use: { words_sha256: hash("sha256", text) } } };
}
