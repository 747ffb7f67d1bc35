import { createHash } from "node:crypto";
import { fsyncSync, writeSync } from "node:fs";
import type { Hashed } from "./hash-file.ts";

/** Writes bytes to an open file as they arrive, and syncs it. */
export async function writeBytes(bytes: AsyncIterable<Uint8Array>, fd: number): Promise<Hashed> {
  const digest = createHash("sha256");
  let size = 0;
  for await (const piece of bytes) {
    digest.update(piece);
    for (let done = 0; done < piece.length; ) done += writeSync(fd, piece, done);
    size += piece.length;
  }
  fsyncSync(fd);
  return { sha256: digest.digest("hex"), size };
}
