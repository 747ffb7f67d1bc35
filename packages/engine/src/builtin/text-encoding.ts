import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { failure } from "./builtin.ts";

type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** The encoding that a byte order mark tells; UTF-8 otherwise. */
export function encodingOf(head: Buffer): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  return head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : "utf-8";
}

/** UTF-8 as text, without its byte order mark. */
export function withoutMark(bytes: Buffer): string {
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}

export function decodeText(bytes: Buffer): string {
  return pieceDecoder(bytes)(bytes, true);
}

/** The text of a file in pieces of about a mebibyte; no character is ever divided between two. */
export async function* textPieces(path: string, signal: AbortSignal): AsyncGenerator<string> {
  let decode: ReturnType<typeof pieceDecoder> | undefined;
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
    decode ??= pieceDecoder(piece);
    yield decode(piece, false);
  }
  yield decode?.(Buffer.alloc(0), true) ?? "";
}

function pieceDecoder(first: Buffer): (piece: Buffer, isLast: boolean) => string {
  const encoding = encodingOf(first);
  return encoding === "utf-8" ? utf8Decoder() : utf16Decoder(encoding);
}

function utf16Decoder(encoding: Encoding): ReturnType<typeof pieceDecoder> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let offset = 0;
  return (piece, isLast) => {
    try {
      const text = decoder.decode(piece, { stream: !isLast });
      offset += piece.length;
      return text;
    } catch {
      // The decoder tells no more than that it failed.
      throw failure(
        "TEXT_ENCODING",
        `The byte order mark says ${encoding.toUpperCase()}, but a character after byte ${offset || 2} is incomplete; save the file as UTF-8.`,
      );
    }
  };
}

/** Unlike the system's decoder it can say which byte is wrong. */
function utf8Decoder(): ReturnType<typeof pieceDecoder> {
  /** The first bytes of a character whose rest is in the next piece. */
  let carried: Buffer = Buffer.alloc(0);
  let [offset, line] = [0, 1];
  return (piece, isLast) => {
    const bytes = carried.length > 0 ? Buffer.concat([carried, piece]) : piece;
    const whole = isLast ? bytes : bytes.subarray(0, endOfWhole(bytes));
    if (!isUtf8(whole)) {
      const bad = firstBad(whole);
      const hex = (whole[bad] ?? 0).toString(16).padStart(2, "0").toUpperCase();
      throw failure(
        "TEXT_ENCODING",
        `Byte 0x${hex} at offset ${offset + bad} (line ${line + countLines(whole.subarray(0, bad))}) is not UTF-8, and no byte order mark says UTF-16; save the file as UTF-8.`,
      );
    }
    const text = offset === 0 ? withoutMark(whole) : whole.toString("utf8");
    line += countLines(whole);
    offset += whole.length;
    carried = bytes.subarray(whole.length);
    return text;
  };
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) lines++;
  return lines;
}

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
