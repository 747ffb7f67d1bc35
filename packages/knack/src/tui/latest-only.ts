/**
 * Work for the newest of many wishes: one run at a time, and whatever is wished for meanwhile is one run more. So the keys
 * of a fast typist make two searches, not ten.
 */
export class LastWish {
  readonly #work: (isLast: () => boolean) => Promise<void>;
  #wishes = 0;
  #running: Promise<void> | undefined;

  /** The work asks `isLast` before it shows its result. */
  constructor(work: (isLast: () => boolean) => Promise<void>) {
    this.#work = work;
  }

  /** Until all wishes are fulfilled; nothing where they are. */
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
