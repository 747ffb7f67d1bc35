import { createHash } from "node:crypto";
import { StoreError } from "../store/store-error.ts";

/** What bytes are: their digest and their number. */
export interface Digest {
  readonly sha256: string;
  readonly size: number;
}

export interface StoredContent extends Digest {
  /** When it was last put. */
  readonly createdAt: string;
}

/** The bytes are not those of their digest: damaged, cut off, or a file that changed while it was read. */
export class WrongBytes extends StoreError {
  constructor(message: string) {
    super("CORRUPT", message);
  }
}

/** Passes bytes on, and throws `WrongBytes` instead of ending if they are not those of the digest. */
export async function* verified(
  bytes: AsyncIterable<Uint8Array>,
  { sha256, size }: { readonly sha256: string; readonly size?: number },
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const piece of bytes) {
    count += piece.length;
    if (size !== undefined && count > size)
      throw new WrongBytes(`The content ${sha256} must have ${size} bytes, but it has more.`);
    hash.update(piece);
    yield piece;
  }
  if (size !== undefined && count !== size)
    throw new WrongBytes(`The content ${sha256} must have ${size} bytes, but it has ${count}.`);
  const found = hash.digest("hex");
  if (found !== sha256) throw new WrongBytes(`The bytes of the content ${sha256} have the digest ${found}.`);
}

/**
 * The same bytes in parts of this size, the last one smaller. No bytes are no part. Two pieces of memory take turns, so a part
 * is valid until the next but one is asked for.
 */
export async function* inParts(bytes: AsyncIterable<Uint8Array>, partSize: number): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafeSlow(partSize);
  let next: typeof part | undefined;
  let filled = 0;
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; ) {
      const count = Math.min(piece.length - at, partSize - filled);
      part.set(piece.subarray(at, at + count), filled);
      filled += count;
      at += count;
      if (filled < partSize) continue;
      yield part;
      [part, next] = [next ?? Buffer.allocUnsafeSlow(partSize), part];
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
