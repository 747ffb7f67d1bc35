import type { Store } from "../store/store.ts";
import type { Contents } from "./contents.ts";
import { isNamed, namedInEvidence } from "./named-contents.ts";
import type { StoredContent } from "./verified.ts";

/** So many old contents are looked at together. */
const BATCH = 5000;

export interface GarbageOptions {
  /** Contents that were put less than this ago stay: their run may not be recorded yet. */
  readonly olderThanMs: number;
  /** Reports what would be removed and removes nothing. */
  readonly dryRun?: boolean | undefined;
  readonly onRemove?: ((content: StoredContent) => void) | undefined;
}

export interface Garbage {
  readonly removed: number;
  readonly removed_bytes: number;
  readonly kept: number;
}

/**
 * Removes contents that no record names. A run puts its artifacts before it is recorded, and each `put` makes a content new,
 * so age alone protects what is about to be named; the check and the removal hold the lock that `put` needs.
 */
export async function collectGarbage(
  contents: Contents,
  store: Pick<Store, "db" | "now">,
  { olderThanMs, dryRun = false, onRemove }: GarbageOptions,
): Promise<Garbage> {
  // The clock of a database server is known only after a transaction.
  await store.db.transaction(async () => undefined, { key: "contents", durable: false });
  const before = new Date(store.now().getTime() - olderThanMs);
  const total = { removed: 0, removed_bytes: 0, kept: 0 };
  const collect = async (batch: readonly StoredContent[]): Promise<void> => {
    const inEvidence = await namedInEvidence(store.db, new Set(batch.map(({ sha256 }) => sha256)));
    for (const content of batch) {
      const { sha256, size } = content;
      const isGone =
        !inEvidence.has(sha256) &&
        (dryRun
          ? !(await isNamed(store.db, sha256))
          : await contents.removeUnused(sha256, before, (tx) => isNamed(tx, sha256)));
      if (!isGone) {
        total.kept++;
        continue;
      }
      total.removed++;
      total.removed_bytes += size;
      onRemove?.(content);
    }
  };
  let batch: StoredContent[] = [];
  for await (const content of contents.list()) {
    if (content.createdAt >= before.toISOString()) {
      total.kept++;
      continue;
    }
    batch.push(content);
    if (batch.length < BATCH) continue;
    await collect(batch);
    batch = [];
  }
  await collect(batch);
  if (!dryRun) await contents.sweep(before);
  return total;
}
