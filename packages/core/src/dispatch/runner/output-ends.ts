/** How much of the beginning and of the end is kept, in bytes. */
const KEPT = 16 * 1024;

/** What a program printed: its beginning and its end, however much it was. */
export class Printed {
  readonly #head: Buffer[] = [];
  readonly #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #bytes = 0;

  add(bytes: Buffer): void {
    this.#bytes += bytes.length;
    const first = bytes.subarray(0, KEPT - this.#headBytes);
    // Copied: a piece would keep alive the whole of what it is a piece of.
    if (first.length > 0) this.#head.push(Buffer.from(first));
    this.#headBytes += first.length;
    const rest = bytes.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(Buffer.from(rest.subarray(-KEPT)));
    this.#tailBytes += Math.min(rest.length, KEPT);
    for (
      let [oldest] = this.#tail;
      oldest && this.#tailBytes - oldest.length >= KEPT;
      [oldest] = this.#tail
    ) {
      this.#tail.shift();
      this.#tailBytes -= oldest.length;
    }
  }

  /** At most `limit` bytes of it, with a note if some are omitted. */
  text(limit = 2 * KEPT): { readonly text: string; readonly isCut: boolean } {
    const kept = Buffer.concat([...this.#head, ...this.#tail]);
    const most = Math.min(limit, 2 * KEPT);
    if (this.#bytes <= most) return { text: kept.toString("utf8"), isCut: false };
    const half = Math.floor(most / 2);
    const left = this.#bytes - 2 * half;
    const [begin, end] = [kept.subarray(0, half), kept.subarray(kept.length - half)];
    return {
      text: `${begin.toString("utf8")}\n… ${left} bytes omitted …\n${end.toString("utf8")}`,
      isCut: true,
    };
  }
}
