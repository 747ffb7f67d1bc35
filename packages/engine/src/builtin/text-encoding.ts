import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { TextDecoder } from "node:util";
import { Failure } from "./builtin.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** The encoding that a byte order mark tells, UTF-8 otherwise, and where the text begins. */
export function encodingOf(head: Buffer): { readonly encoding: Encoding; readonly start: number } {
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: "utf-16le", start: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: "utf-16be", start: 2 };
  const marked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  return { encoding: "utf-8", start: marked ? 3 : 0 };
}

export function decodeText(bytes: Buffer): string {
  const { encoding, start } = encodingOf(bytes);
  const decoder = new PieceDecoder(encoding, start);
  return decoder.decode(bytes.subarray(start), true);
}

/** The text of a file in pieces of about a mebibyte; no character is ever divided between two. */
export async function* textPieces(file: FileHandle, signal: AbortSignal): AsyncGenerator<string> {
  const buffer = Buffer.allocUnsafeSlow(1 << 20);
  let decoder: PieceDecoder | undefined;
  for (let at = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    let piece = buffer.subarray(0, bytesRead);
    if (!decoder) {
      const { encoding, start } = encodingOf(piece);
      decoder = new PieceDecoder(encoding, start);
      piece = piece.subarray(start);
    }
    at += bytesRead;
    yield decoder.decode(piece, bytesRead === 0);
    if (bytesRead === 0) return;
  }
}

class PieceDecoder {
  readonly #utf16: TextDecoder | null;
  readonly #encoding: Encoding;
  /** The first bytes of a character whose rest is in the next piece. */
  #carried = Buffer.alloc(0);
  #offset: number;
  #line = 1;

  constructor(encoding: Encoding, offset: number) {
    this.#encoding = encoding;
    this.#utf16 = encoding === "utf-8" ? null : new TextDecoder(encoding, { fatal: true });
    this.#offset = offset;
  }

  decode(piece: Buffer, last: boolean): string {
    return this.#utf16 ? this.#decodeUtf16(this.#utf16, piece, last) : this.#decodeUtf8(piece, last);
  }

  #decodeUtf8(piece: Buffer, last: boolean): string {
    const bytes = this.#carried.length > 0 ? Buffer.concat([this.#carried, piece]) : piece;
    const whole = last ? bytes : bytes.subarray(0, endOfWhole(bytes));
    if (!isUtf8(whole)) {
      const bad = firstBad(whole);
      const line = this.#line + countLines(whole.subarray(0, bad));
      throw notUtf8(whole[bad] ?? 0, this.#offset + bad, line);
    }
    this.#line += countLines(whole);
    this.#offset += whole.length;
    this.#carried = Buffer.from(bytes.subarray(whole.length));
    return whole.toString("utf8");
  }

  #decodeUtf16(decoder: TextDecoder, piece: Buffer, last: boolean): string {
    try {
      const text = decoder.decode(piece, { stream: !last });
      this.#offset += piece.length;
      return text;
    } catch {
      // The decoder tells no more than that it failed.
      throw new Failure(
        "TEXT_ENCODING",
        `The byte order mark says ${this.#encoding.toUpperCase()}, but a character after byte ${this.#offset} is incomplete; save the file as UTF-8.`,
      );
    }
  }
}

function notUtf8(byte: number, offset: number, line: number): Failure {
  const hex = byte.toString(16).padStart(2, "0").toUpperCase();
  return new Failure(
    "TEXT_ENCODING",
    `Byte 0x${hex} at offset ${offset} (line ${line}) is not UTF-8, and no byte order mark says UTF-16; save the file as UTF-8.`,
  );
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) lines++;
  return lines;
}

/** Where the last character that is whole ends. */
export function endOfWhole(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function sequenceLength(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

/** Only called where there is one. */
function firstBad(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] ?? 0);
    if ((bytes[at] ?? 0) >= 0x80 && !isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
  return bytes.length;
}
