import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Guest } from "./guest.ts";

/** A guest that was idle for this long is ended. */
const IDLE_MS = 5 * 60 * 1000;
/** More guests than processors would slow each other and the host, and each needs memory. */
const MOST_AT_ONCE = Math.max(1, availableParallelism());

/**
 * The guests of one engine. Each serves one run. From the first run on, a long-lived engine keeps one more ready: starting a
 * process and loading a parser takes longer than parsing a small file.
 */
export class GuestPool {
  readonly #keepsWarm: boolean;
  readonly #all = new Set<Guest>();
  #waiting: Guest | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  #admitted = 0;
  readonly #queue: (() => void)[] = [];

  constructor(keepsWarm: boolean) {
    this.#keepsWarm = keepsWarm;
  }

  /** Waits in line until a file may be parsed. The caller calls the returned function when it is done. */
  async admit(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#admitted < MOST_AT_ONCE) this.#admitted++;
    else await this.#turn(signal);
    return () => {
      const next = this.#queue.shift();
      // Pass the slot on to the next in line.
      if (next) next();
      else this.#admitted--;
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#queue.splice(this.#queue.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener("abort", cancel);
        resolve();
      };
      this.#queue.push(enter);
      signal.addEventListener("abort", cancel, { once: true });
    });
  }

  /** Starts a guest for a file of this name while the run is being prepared. */
  expect(file: string): void {
    if (this.#isClosed || (this.#waiting && !this.#waiting.isGone)) return;
    this.#wait(this.#start(extname(file).toLowerCase()));
  }

  /** The idle guest, or a new one. The caller disposes of it. */
  take(): Guest {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    clearTimeout(this.#idle);
    return waiting && !waiting.isGone ? waiting : this.#start("");
  }

  restock(): void {
    if (!this.#keepsWarm || this.#isClosed || (this.#waiting && !this.#waiting.isGone)) return;
    this.#wait(this.#start("*"));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    for (const guest of this.#all) guest.end();
    await Promise.all([...this.#all].map((guest) => guest.gone));
  }

  #start(preload: string): Guest {
    const guest = new Guest(preload);
    this.#all.add(guest);
    void guest.gone.then(() => this.#all.delete(guest));
    return guest;
  }

  #wait(guest: Guest): void {
    this.#waiting = guest;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#waiting === guest) this.#waiting = undefined;
      guest.end();
    }, IDLE_MS).unref();
  }
}
