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
  const expected = also ? CHUNK : fstatSync(fd).size;
  if (expected < CHUNK) return hashSmall(fd, expected);
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

/** Most artifacts are small, and a turn of the event loop costs more than reading one. */
function hashSmall(fd: number, expected: number): Hashed {
  // One byte more, so that a file that has grown shows it.
  const buffer = Buffer.allocUnsafe(expected + 1);
  let size = 0;
  for (;;) {
    const count = readSync(fd, buffer, size, buffer.length - size, size);
    size += count;
    if (count === 0 || size === buffer.length)
      return { sha256: hash("sha256", buffer.subarray(0, size)), size };
  }
}
