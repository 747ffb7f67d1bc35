import type { Database } from "../../store/database.ts";
import type { Digest, StoredContent } from "../verified.ts";

/**
 * Where contents are kept. `tx` is a transaction that holds the lock of the content; a backend that is not in the database
 * ignores it.
 */
export interface Backend {
  readonly shown: string;
  /** What is there, by its real size. */
  find(sha256: string, tx?: Database): Promise<StoredContent | null>;
  /** Sets the time of a content that is there with this size; `false` if it must be written. */
  renew(digest: Digest, at: Date, tx: Database): Promise<boolean>;
  /**
   * Writes or replaces a content. It becomes visible whole, and only when `bytes` has ended without throwing. `bytes` is
   * called again for another try. `isBroken`: what is there has wrong bytes.
   */
  write(digest: Digest, bytes: () => AsyncIterable<Uint8Array>, isBroken: boolean): Promise<void>;
  read(sha256: string): Promise<AsyncIterable<Uint8Array> | null>;
  list(): AsyncIterable<StoredContent>;
  remove(sha256: string, tx: Database): Promise<void>;
  sweep(before: Date): Promise<void>;
}
