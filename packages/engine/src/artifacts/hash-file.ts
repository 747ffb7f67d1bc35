import { createHash, hash } from "node:crypto";
import { fstatSync, read, readSync } from "node:fs";
import { promisify } from "node:util";

const CHUNK = 1024 * 1024;
const readAsync = promisify(read);

export interface Hashed {
  readonly sha256: string;
  readonly size: number;
}

/** The digest of an open file, read once; each piece is given to `also`, which may refuse it by throwing. */
export async function hashFile(fd: number, also?: (piece: Uint8Array) => void): Promise<Hashed> {
  const small = also ? undefined : hashSmall(fd, fstatSync(fd).size);
  if (small) return small;
  const digest = createHash("sha256");
  const buffer = Buffer.allocUnsafe(CHUNK);
  let size = 0;
  for (;;) {
    const { bytesRead } = await readAsync(fd, buffer, 0, CHUNK, size);
    if (bytesRead === 0) return { sha256: digest.digest("hex"), size };
    const piece = buffer.subarray(0, bytesRead);
    digest.update(piece);
    also?.(piece);
    size += bytesRead;
  }
}

let scratch: Buffer | undefined;

/**
 * The same for a file of this size, at once: most files are small, and a turn of the event loop costs more than reading one.
 * Always into the same memory, which nobody else can see before this returns. `undefined`: it is large, or has grown.
 */
export function hashSmall(fd: number, expected: number): Hashed | undefined {
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
