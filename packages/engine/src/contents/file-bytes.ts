import { closeSync, read } from "node:fs";
import { promisify } from "node:util";

const CHUNK = 256 * 1024;
const readAsync = promisify(read);

/** The bytes of an open file from its beginning, in pieces; closes it at the end. */
export async function* fileBytes(fd: number): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await readAsync(fd, Buffer.allocUnsafe(CHUNK), 0, CHUNK, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    closeSync(fd);
  }
}
