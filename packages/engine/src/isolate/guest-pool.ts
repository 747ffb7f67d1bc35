import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Slots } from "../shared/slots.ts";
import { Guest } from "./guest.ts";

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
  /** Whoever wants to parse a file enters first. */
  readonly slots = new Slots(MOST_AT_ONCE);

  constructor(keepsWarm: boolean) {
    this.#keepsWarm = keepsWarm;
  }

  /** Starts a guest for a file of this name while the run is being prepared. */
  expect(file: string): void {
    this.#prepare(extname(file).toLowerCase());
  }

  /** The idle guest, or a new one. The caller disposes of it. */
  take(): Guest {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    clearTimeout(this.#idle);
    return waiting && !waiting.isGone ? waiting : this.#start("");
  }

  restock(): void {
    if (this.#keepsWarm) this.#prepare("*");
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

  #prepare(preload: string): void {
    if (this.#isClosed || (this.#waiting && !this.#waiting.isGone)) return;
    const guest = this.#start(preload);
    this.#waiting = guest;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#waiting === guest) this.#waiting = undefined;
      guest.end();
    }, IDLE_MS).unref();
  }
}
