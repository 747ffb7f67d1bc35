/**
 * Runs work for the newest of many requests: one run at a time, and all requests during a run share one more run. Ten fast
 * keystrokes make two searches, not ten.
 */
export class LatestOnly {
  readonly #work: (isLast: () => boolean) => Promise<void>;
  #wishes = 0;
  #running: Promise<void> | undefined;

  /** The work checks `isLast` before it shows its result. */
  constructor(work: (isLast: () => boolean) => Promise<void>) {
    this.#work = work;
  }

  /** Settles when all requests are done; undefined if there are none. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  run(): Promise<void> {
    this.#wishes++;
    this.#running ??= this.#fulfil().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #fulfil(): Promise<void> {
    for (let wish = 0; wish !== this.#wishes; ) {
      wish = this.#wishes;
      await this.#work(() => wish === this.#wishes);
    }
  }
}
