import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { systemCode } from "@knack/core/files";
import { codeOf, isStoreError, KnackError, pluralize } from "@knack/core/text";
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";

/** What bytes are: their digest and their number. */
export interface Digest {
  readonly sha256: string;
  readonly size: number;
}

export interface StoredContent extends Digest {
  /** When it was last put. */
  readonly createdAt: string;
}

/** Passes bytes on, and throws CORRUPT instead of ending if they are not those of the digest. */
export async function* verified(
  bytes: AsyncIterable<Uint8Array>,
  { sha256, size }: { readonly sha256: string; readonly size?: number },
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  const corrupt = (message: string): KnackError => new KnackError("CORRUPT", message);
  let count = 0;
  for await (const piece of bytes) {
    count += piece.length;
    if (size !== undefined && count > size)
      throw corrupt(`The content ${sha256} must have ${pluralize(size, "byte")}, but it has more.`);
    hash.update(piece);
    yield piece;
  }
  if (size !== undefined && count !== size)
    throw corrupt(`The content ${sha256} must have ${pluralize(size, "byte")}, but it has ${count}.`);
  const found = hash.digest("hex");
  if (found !== sha256) throw corrupt(`The bytes of the content ${sha256} have the digest ${found}.`);
}

/** The same bytes in parts of this size. Two pieces of memory take turns: a part is valid until the next but one. */
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

/** Where contents are kept. `tx` holds the lock of the content; a backend that is not in the database ignores it. */
export interface Backend {
  readonly shown: string;
  find(sha256: string, tx?: Database): Promise<StoredContent | null>;
  /** Sets the time of a content that is there with this size; `false` if it must be written. */
  renew(digest: Digest, at: Date, tx: Database): Promise<boolean>;
  /** Becomes visible whole, once `bytes` has ended. `bytes` is called again for another try. `isBroken`: write over it. */
  write(digest: Digest, bytes: () => AsyncIterable<Uint8Array>, isBroken: boolean): Promise<void>;
  read(sha256: string): Promise<AsyncIterable<Uint8Array> | null>;
  list(): AsyncIterable<StoredContent>;
  remove(sha256: string, tx: Database): Promise<void>;
  sweep(before: Date): Promise<void>;
}

const SHA256 = /^[0-9a-f]{64}$/;
/** Each round is lost only to a removal or another writer at the same moment. */
const MAX_ROUNDS = 8;
const PAUSE_MS = 50;

/** Bytes by their content, for every machine. Digests are checked in both directions, and no removal overtakes a `put`. */
export class Contents {
  readonly #backend: Backend;
  readonly #store: Pick<Store, "db" | "now">;
  /** Contents that were read with wrong bytes: the next `put` writes them again. */
  readonly #broken = new Set<string>();

  constructor(backend: Backend, store: Pick<Store, "db" | "now">) {
    this.#backend = backend;
    this.#store = store;
  }

  /** Where they are, for messages: never with a password. */
  get shown(): string {
    return this.#backend.shown;
  }

  /** Stores the bytes unless they are there, and makes them new. Rejects with CORRUPT if they have another digest. */
  async put(digest: Digest, bytes: () => AsyncIterable<Uint8Array>): Promise<void> {
    const { sha256 } = digest;
    refuseOther(sha256);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (round > 1) await wait(PAUSE_MS * round * (0.5 + Math.random()));
      // Also after writing: a removal may have looked at the file that was there before.
      const isBroken = this.#broken.has(sha256);
      if (!isBroken && (await this.#confirm(digest))) return;
      await this.#backend.write(digest, () => verified(readable(bytes()), digest), isBroken);
      this.#broken.delete(sha256);
    }
    throw new KnackError("IO", `${this.shown}: the content ${sha256} cannot be stored.`);
  }

  /** The bytes, or `null`. The iterable throws CORRUPT at its end if they are not what was stored. */
  async open(sha256: string): Promise<AsyncIterable<Uint8Array> | null> {
    refuseOther(sha256);
    const bytes = await this.#backend.read(sha256);
    return bytes && this.#watched(sha256, bytes);
  }

  async has(sha256: string): Promise<boolean> {
    refuseOther(sha256);
    return (await this.#backend.find(sha256)) !== null;
  }

  list(): AsyncIterable<StoredContent> {
    return this.#backend.list();
  }

  /** Removes a content that was last put before this time and that `isNamed` does not find named; answers whether it did. */
  removeUnused(sha256: string, before: Date, isNamed: (tx: Database) => Promise<boolean>): Promise<boolean> {
    refuseOther(sha256);
    return this.#locked(sha256, async (tx) => {
      const found = await this.#backend.find(sha256, tx);
      if (!found || found.createdAt >= before.toISOString() || (await isNamed(tx))) return false;
      await this.#backend.remove(sha256, tx);
      return true;
    });
  }

  /** Removes what interrupted uploads left before this time. */
  sweep(before: Date): Promise<void> {
    return this.#backend.sweep(before);
  }

  /** Whether it is there with the right size. From now on it counts as new. */
  #confirm(digest: Digest): Promise<boolean> {
    return this.#locked(digest.sha256, (tx) => this.#backend.renew(digest, this.#store.now(), tx));
  }

  /** `put` and removal of one content exclude each other, also across machines that share a store. */
  #locked<T>(sha256: string, work: (tx: Database) => Promise<T>): Promise<T> {
    return this.#store.db.transaction(work, { key: `content ${sha256}`, durable: false });
  }

  async *#watched(sha256: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* verified(bytes, { sha256 });
    } catch (error) {
      if (codeOf(error) === "CORRUPT") this.#broken.add(sha256);
      throw error;
    }
  }
}

/** A file that cannot be read must not look like a backend that cannot be reached. */
async function* readable(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (cause) {
    if (isStoreError(cause)) throw cause;
    throw new KnackError("IO", `The bytes to be stored cannot be read (${systemCode(cause)}).`, { cause });
  }
}

/** A digest becomes a part of a path. */
function refuseOther(sha256: string): void {
  if (!SHA256.test(sha256))
    throw new KnackError("MISUSE", "A content is named by its SHA-256 in lower case.");
}
