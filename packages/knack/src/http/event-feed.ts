import { type Engine, eventsAfter, lastSeq, runningRuns } from "@knack/engine";
import type { Caller } from "../host/access.ts";
import type { Host } from "../host/host.ts";
import { note } from "../terminal/output.ts";
import { escapeControl, messageOf, safeJson } from "../terminal/visible.ts";
import { within } from "../within.ts";
import { httpError } from "./error-response.ts";
import { Room, type ServerLimits } from "./server/limits.ts";

const BATCH = 100;
/** A run that prints a lot is reported at most this often. */
const SOON_MS = 150;

/** Lists that change outside of the log and the catalog; an event says which one changed, and the reader fetches it. */
const SIGNALS = ["clients", "questions", "plans", "locks"] as const;
type Signal = (typeof SIGNALS)[number];
type History = Awaited<ReturnType<Engine["history"]>>;

/**
 * Streams catalog changes and log records as they happen. Nothing is buffered for a slow reader: each stream remembers how
 * far it has read the log, and of everything else only the newest state counts.
 */
export class EventFeed {
  readonly #host: Host;
  readonly #limits: ServerLimits;
  readonly #room: Room;
  /** Resolves when something may be different; then there is another one. */
  #change = Promise.withResolvers<void>();
  /** The open streams, and whose token those have whose readers answer questions of agents. */
  readonly #readers = new Map<AbortController, string | undefined>();
  /** Every process counts snapshots from the beginning, so ids need a prefix per process. */
  readonly #start = Date.now().toString(36);
  readonly #stops: readonly (() => void)[];
  #running = "[]";
  #soon: NodeJS.Timeout | undefined;
  readonly #versions: Record<Signal, number> = { clients: 0, questions: 0, plans: 0, locks: 0 };
  /** Called when the first reader who answers questions comes, and when the last one leaves. */
  onAnswering: () => void = () => {};
  readonly looks: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #last = -1;
  #hasFailed = false;

  constructor(host: Host, limits: ServerLimits) {
    this.#host = host;
    this.#limits = limits;
    this.#room = new Room(limits.eventStreams);
    this.#stops = [host.live.follow(() => this.#wake()), host.engine.live.follow(() => this.#lookSoon())];
  }

  /** Whether somebody follows who answers questions of agents: another one than the token that asks. */
  hasAnswering(asker?: string): boolean {
    return [...this.#readers.values()].some((id) => id !== undefined && id !== asker);
  }

  signal(name: Signal): void {
    this.#versions[name]++;
    this.#wake();
  }

  /** Server-sent events after `lastId`, until the signal. `answers`: the reader shows questions of agents to a person. */
  async open(
    lastId: string | undefined,
    signal: AbortSignal,
    answers: boolean,
    caller: Caller,
  ): Promise<AsyncIterable<string>> {
    const leave = this.#room.take(caller);
    if (!leave)
      throw httpError(503, "CONFLICT", "Too many event streams are open; try again later.", {
        "Retry-After": "5",
      });
    const end = new AbortController();
    this.#readersChange(() => this.#readers.set(end, answers ? caller.id : undefined));
    const left = (): void => {
      leave();
      this.#readersChange(() => this.#readers.delete(end));
      this.#wake();
    };
    end.signal.addEventListener("abort", left, { once: true });
    signal.addEventListener("abort", () => end.abort(), { once: true });
    await this.#look();
    return this.#events(lastId, end.signal);
  }

  close(): void {
    for (const end of this.#readers.keys()) end.abort();
    for (const stop of this.#stops) stop();
    clearTimeout(this.#soon);
  }

  async *#events(lastId: string | undefined, signal: AbortSignal): AsyncGenerator<string, void> {
    const [, seq, seen = ""] = /^(\d{1,15})-(\w{1,80})$/.exec(lastId ?? "") ?? [];
    let known = this.#stateOf(seen);
    let running = "[]";
    let last = seq === undefined ? await this.#lastSeq() : Number(seq);
    yield "retry: 2000\n\n";
    while (!signal.aborted) {
      // Taken before the look, so that nothing is missed that changes during it.
      const change = this.#change.promise;
      const id = (): string => `${last}-${[this.#start, ...known].join("_")}`;
      const before = id();
      for (const [place, name] of ["catalog" as const, ...SIGNALS].entries()) {
        const version = this.#state()[place] ?? 0;
        if (known[place] === version) continue;
        known = known.with(place, version);
        yield message(name, id(), name === "catalog" ? this.#summary() : { version });
      }
      if (running !== this.#running) {
        running = this.#running;
        yield message("runs", id(), { running: JSON.parse(running) });
      }
      const records = await this.#ask((db) => eventsAfter(db, last, BATCH), []);
      for (const record of records) {
        last = record.seq;
        yield message("log", id(), record);
      }
      if (before !== id()) continue;
      // If the log was replaced by a shorter one, read it from the beginning.
      if ((await this.#lastSeq()) < last) last = 0;
      else if (
        await within(
          this.#limits.heartbeatMs,
          change.then(() => false),
          true,
        )
      )
        yield ": still here\n\n";
    }
  }

  #state(): number[] {
    return [this.#host.live.catalog.snapshot_version, ...SIGNALS.map((name) => this.#versions[name])];
  }

  /** What a reader knows by the id of its last event; nothing of it counts where another process wrote that. */
  #stateOf(seen: string): number[] {
    const [start, ...versions] = seen.split("_");
    return this.#state().map((_, place) => (start === this.#start ? Number(versions[place]) : -1));
  }

  #summary(): object {
    const { skills, errors, warnings, snapshot_version } = this.#host.live.catalog;
    return { snapshot_version, skills: skills.length, errors: errors.length, warnings: warnings.length };
  }

  #lastSeq(): Promise<number> {
    return this.#ask(lastSeq, 0);
  }

  /** Reports an unreadable database once, and tries again later. */
  async #ask<T>(work: (db: History) => Promise<T>, otherwise: T): Promise<T> {
    try {
      const answer = await work(await this.#host.engine.history());
      this.#hasFailed = false;
      return answer;
    } catch (error) {
      if (!this.#hasFailed) note(`note: The log cannot be followed: ${escapeControl(messageOf(error))}`);
      this.#hasFailed = true;
      return otherwise;
    }
  }

  async #look(): Promise<void> {
    try {
      for (const look of this.looks) look();
    } catch (error) {
      // It must not end the server; the next look tries again.
      note(`note: Events cannot be followed: ${escapeControl(messageOf(error))}`);
    }
    const { live } = this.#host.engine;
    const last = await this.#lastSeq();
    const runs = await this.#ask(runningRuns, []);
    // The log of a run in this process grows; those of others are in the database when they end.
    const running = JSON.stringify(
      runs.map((run) => ({ ...run, log_length: live.get(run.id)?.log().length ?? null })),
    );
    const isNew = last !== this.#last || running !== this.#running;
    this.#last = last;
    this.#running = running;
    if (isNew) this.#wake();
  }

  #lookSoon(): void {
    if (this.#readers.size === 0) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.#look();
    }, SOON_MS);
  }

  #readersChange(change: () => void): void {
    const before = this.hasAnswering();
    change();
    if (before !== this.hasAnswering()) this.onAnswering();
    if (this.#readers.size > 0) this.#timer ??= setInterval(() => void this.#look(), this.#limits.pollMs);
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #wake(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}

function message(event: string, id: string, data: object): string {
  return `event: ${event}\nid: ${id}\ndata: ${safeJson(data)}\n\n`;
}
