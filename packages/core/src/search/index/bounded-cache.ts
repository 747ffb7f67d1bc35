/** What was decoded, up to a number of bytes; more than that begins again. */
export class BoundedCache<T> {
  readonly #maxBytes: number;
  readonly #kept = new Map<number, T>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: number): T | undefined {
    return this.#kept.get(key);
  }

  set(key: number, value: T, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) {
      this.#kept.clear();
      this.#bytes = bytes;
    }
    this.#kept.set(key, value);
  }
}
