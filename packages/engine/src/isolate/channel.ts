import { StringDecoder } from "node:string_decoder";

/**
 * The protocol between host and child on file descriptor 3, separate from everything the skill prints.
 *
 * Host to child: one request, its length (four bytes, big-endian) and JSON. If the host closes the stream, the child cancels.
 * Child to host: frames of nonce, kind (one letter), length, payload. The nonce is in the request, which the loader reads
 * before it loads the skill's code, so bytes that the skill writes to the descriptor are not valid frames. Code that inspects
 * the loader could still learn it, but could only forge the result that it is free to return anyway.
 */
export const NONCE_BYTES = 32;
const HEADER_BYTES = NONCE_BYTES + 1 + 4;

/** started to load · loaded · result · threw · returned something that is not JSON · logged a line · exceeded its memory limit */
const KINDS = "BLRTUGM";
export type FrameKind = "B" | "L" | "R" | "T" | "U" | "G" | "M";

export interface Frame {
  readonly kind: FrameKind;
  readonly payload: string;
}

type ChannelFault = "foreign" | "too large";

export function encodeRequest(request: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(request));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

export function encodeFrame(nonce: string, kind: FrameKind, payload: string): Buffer {
  const body = Buffer.from(payload);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(nonce + kind, "latin1");
  header.writeUInt32BE(body.length, NONCE_BYTES + 1);
  return Buffer.concat([header, body]);
}

/** Reads frames from chunks of any size. Never buffers more than one frame of the permitted size. */
export class FrameReader {
  readonly #nonce: Buffer;
  readonly #maxBytes: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #neededBytes = 1;
  #fault: ChannelFault | null = null;

  constructor(nonce: string, maxBytes: number) {
    this.#nonce = Buffer.from(nonce, "latin1");
    this.#maxBytes = maxBytes;
  }

  get fault(): ChannelFault | null {
    return this.#fault;
  }

  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    if (this.#fault !== null) return frames;
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    while (this.#fault === null && this.#pendingBytes >= this.#neededBytes) {
      const bytes = Buffer.concat(this.#pending);
      this.#pending = [bytes];
      const frame = this.#next(bytes);
      if (frame === null) break;
      frames.push(frame);
    }
    if (this.#fault !== null) this.#pending = [];
    return frames;
  }

  #next(bytes: Buffer): Frame | null {
    const given = bytes.subarray(0, NONCE_BYTES);
    if (!given.equals(this.#nonce.subarray(0, given.length))) return this.#stop("foreign");
    const kind = String.fromCharCode(bytes[NONCE_BYTES] ?? 0);
    if (bytes.length > NONCE_BYTES && !KINDS.includes(kind)) return this.#stop("foreign");
    if (bytes.length < HEADER_BYTES) {
      this.#neededBytes = bytes.length + 1;
      return null;
    }
    const length = bytes.readUInt32BE(NONCE_BYTES + 1);
    if (length > this.#maxBytes) return this.#stop("too large");
    const end = HEADER_BYTES + length;
    if (bytes.length < end) {
      this.#neededBytes = end;
      return null;
    }
    this.#pending = [bytes.subarray(end)];
    this.#pendingBytes = bytes.length - end;
    this.#neededBytes = 1;
    return { kind: kind as FrameKind, payload: bytes.toString("utf8", HEADER_BYTES, end) };
  }

  #stop(fault: ChannelFault): null {
    this.#fault = fault;
    return null;
  }
}

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
  let length = 0;
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
      length += line.length;
      if (length <= maxBytes) say(line.slice(0, MAX_LINE_LENGTH));
      else {
        say("… the rest of the output is omitted …");
        quiet = true;
      }
    }
  };
}
