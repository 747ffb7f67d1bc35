/** So many at once; who comes later waits in line. */
export class Slots {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for a slot. The caller calls the returned function when it is done. */
  async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    return () => {
      const next = this.#line.shift();
      // Pass the slot on to the next in line.
      if (next) next();
      else this.#free++;
    };
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#line.splice(this.#line.indexOf(enter), 1);
        reject(signal?.reason);
      };
      const enter = (): void => {
        signal?.removeEventListener("abort", cancel);
        resolve();
      };
      this.#line.push(enter);
      signal?.addEventListener("abort", cancel, { once: true });
    });
  }
}
