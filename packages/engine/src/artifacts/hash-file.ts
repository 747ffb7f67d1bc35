import { createHash, hash } from "node:crypto";
import { fstatSync, read, readSync, writeSync } from "node:fs";
import { promisify } from "node:util";

const CHUNK = 1024 * 1024;
const readAsync = promisify(read);

export interface Hashed {
  readonly sha256: string;
  readonly size: number;
}

/** The bytes of an open file from its beginning. Each piece is valid until the next is asked for. */
export async function* piecesOf(fd: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await readAsync(fd, buffer, 0, CHUNK, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function hashPieces(pieces: AsyncIterable<Uint8Array>, also?: (piece: Uint8Array) => void) {
  const digest = createHash("sha256");
  let size = 0;
  for await (const piece of pieces) {
    digest.update(piece);
    size += piece.length;
    also?.(piece);
  }
  return { sha256: digest.digest("hex"), size };
}

export async function hashFile(fd: number, signal?: AbortSignal): Promise<Hashed> {
  return hashSmall(fd, fstatSync(fd).size) ?? (await hashPieces(piecesOf(fd, signal)));
}

export function writeBytes(pieces: AsyncIterable<Uint8Array>, fd: number): Promise<Hashed> {
  return hashPieces(pieces, (piece) => {
    for (let done = 0; done < piece.length; ) done += writeSync(fd, piece, done);
  });
}

let scratch: Buffer | undefined;

/** At once, because a turn of the event loop costs more than reading a small file. `undefined`: it is large, or has grown. */
function hashSmall(fd: number, expected: number): Hashed | undefined {
  if (expected >= CHUNK) return undefined;
  scratch ??= Buffer.allocUnsafeSlow(CHUNK);
  let size = 0;
  // One byte more, so that a file that has grown shows it.
  while (size <= expected) {
    const count = readSync(fd, scratch, size, expected + 1 - size, size);
    if (count === 0) return { sha256: hash("sha256", scratch.subarray(0, size)), size };
    size += count;
  }
  return undefined;
}
