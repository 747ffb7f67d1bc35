import { KnackError } from "@knack/core";
import type { Sink } from "../write-files.ts";

const broken = (): KnackError =>
  new KnackError("EXECUTION_ERROR", "git did not give an object of the repository; nothing was changed.");

/** Reads what `git cat-file --batch` prints: a line with id, type and size, then the bytes and a line end, for each object. */
export class BlobReader {
  readonly #opens: readonly (() => Sink)[];
  #next = 0;
  #header = "";
  #sink: Sink | undefined;
  /** Bytes of the current object that are still to come; the line end after it counts as one. */
  #left = 0;

  constructor(opens: readonly (() => Sink)[]) {
    this.#opens = opens;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#sink === undefined) at = this.#readHeader(chunk, at);
      else at = this.#readBytes(chunk, at, this.#sink);
    }
  }

  #readHeader(chunk: Buffer, at: number): number {
    const end = chunk.indexOf(0x0a, at);
    this.#header += chunk.toString("latin1", at, end < 0 ? chunk.length : end);
    if (this.#header.length > 200) throw broken();
    if (end < 0) return chunk.length;
    const size = /^[0-9a-f]{40,64} blob (\d+)$/.exec(this.#header)?.[1];
    const open = this.#opens[this.#next++];
    if (size === undefined || open === undefined) throw broken();
    this.#header = "";
    this.#left = Number(size) + 1;
    this.#sink = open();
    return end + 1;
  }

  #readBytes(chunk: Buffer, at: number, sink: Sink): number {
    const content = Math.min(this.#left - 1, chunk.length - at);
    if (content > 0) sink.write(chunk.subarray(at, at + content));
    this.#left -= content;
    if (this.#left > 1 || at + content === chunk.length) return at + content;
    this.#sink = undefined;
    sink.close();
    return at + content + 1;
  }

  /** All of it must have come. */
  end(): void {
    if (this.#sink !== undefined || this.#next !== this.#opens.length) throw broken();
  }

  /** After a failure no file stays open. */
  close(): void {
    this.#sink?.close();
    this.#sink = undefined;
  }
}
