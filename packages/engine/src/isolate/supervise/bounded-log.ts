import { StringDecoder } from "node:string_decoder";

const MAX_LINE_LENGTH = 8192;

/** What a skill printed: its beginning and its end, limited to a number of bytes. */
export class BoundedLog {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #leftOut = 0;

  constructor(maxBytes: number) {
    this.#half = Math.max(0, Math.floor(maxBytes / 2));
  }

  push(chunk: Buffer): void {
    const toHead = chunk.subarray(0, this.#half - this.#headBytes);
    // Copy: a slice would keep the whole chunk in memory.
    if (toHead.length > 0) this.#head.push(Buffer.from(toHead));
    this.#headBytes += toHead.length;
    const rest = chunk.subarray(toHead.length);
    if (rest.length === 0) return;
    this.#tail.push(Buffer.from(rest.subarray(Math.max(0, rest.length - this.#half))));
    this.#leftOut += Math.max(0, rest.length - this.#half);
    this.#tailBytes += Math.min(rest.length, this.#half);
    if (this.#tailBytes > 2 * this.#half || this.#tail.length > 1024) this.#shorten();
  }

  text(): string {
    this.#shorten();
    const head = Buffer.concat(this.#head).toString();
    const tail = Buffer.concat(this.#tail).toString();
    return this.#leftOut === 0 ? head + tail : `${head}\n… ${this.#leftOut} bytes omitted …\n${tail}`;
  }

  #shorten(): void {
    const all = Buffer.concat(this.#tail);
    const from = Math.max(0, all.length - this.#half);
    this.#leftOut += from;
    this.#tail = [Buffer.from(all.subarray(from))];
    this.#tailBytes = all.length - from;
  }
}

/** Calls back with each complete line, up to `maxBytes` in total; then reports once that the rest is omitted. */
export function lineTeller(maxBytes: number, tell: (line: string) => void): (chunk: Buffer | null) => void {
  const decoder = new StringDecoder();
  let part = "";
  let told = 0;
  let quiet = false;
  const say = (line: string): void => {
    try {
      tell(line);
    } catch {
      // A listener that throws must not end the run; it is not called again.
      quiet = true;
    }
  };
  return (chunk) => {
    if (quiet) return;
    const lines = (part + (chunk === null ? decoder.end() : decoder.write(chunk))).split(/\r?\n/);
    part = chunk === null ? "" : (lines.pop() ?? "").slice(0, MAX_LINE_LENGTH);
    for (const line of chunk === null ? lines.filter((last) => last !== "") : lines) {
      if (quiet) return;
      told += line.length;
      if (told <= maxBytes) say(line.slice(0, MAX_LINE_LENGTH));
      else {
        say("… the rest of the output is omitted …");
        quiet = true;
      }
    }
  };
}
