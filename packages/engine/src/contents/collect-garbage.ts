import { verifyArtifact } from "../artifacts/verify-artifact.ts";
import { appendEvents } from "../audit/chain.ts";
import { batchesOf, type Database } from "../store/database.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { Contents, StoredContent } from "./contents.ts";
import { artifactBytes } from "./keep-input.ts";
import { openContents } from "./open-contents.ts";

/** A queued run that may still start, be tried again or be sent again by a person; in the words of the index. */
const IS_OPEN = "state IN ('WAITING', 'RUNNING', 'FAILED', 'DEAD')";
const EVIDENCES = { name: "evidences", key: ["evidence_id"], columns: ["evidence_id", "data_json"] };
const DIGEST = /[0-9a-f]{64}/g;

export async function isNamed(tx: Database, sha256: string): Promise<boolean> {
  const anywhere = `%${sha256}%`;
  const row = await tx.get(
    `SELECT 1 AS found WHERE
       EXISTS (SELECT 1 FROM artifacts WHERE sha256 = ?)
       OR EXISTS (SELECT 1 FROM evidences WHERE sha256 = ?)
       OR EXISTS (SELECT 1 FROM queued_runs WHERE ${IS_OPEN} AND request_json LIKE ?)
       OR EXISTS (SELECT 1 FROM skill_runs WHERE status = 'RUNNING' AND inputs_json LIKE ?)`,
    [sha256, sha256, anywhere, anywhere],
  );
  return row !== undefined;
}

/** Which of these contents the data of an evidence names: read page by page, because no index finds a text inside it. */
async function namedInEvidence(db: Database, among: ReadonlySet<string>): Promise<Set<string>> {
  const named = new Set<string>();
  for await (const rows of batchesOf(db, EVIDENCES))
    for (const { data_json } of rows)
      for (const [digest] of String(data_json).matchAll(DIGEST)) if (among.has(digest)) named.add(digest);
  return named;
}

const BATCH = 5000;

interface GarbageOptions {
  /** Contents that were put less than this ago stay: their run may not be recorded yet. */
  readonly olderThanMs: number;
  readonly dryRun?: boolean | undefined;
  readonly onRemove?: ((content: StoredContent) => void) | undefined;
}

export interface Garbage {
  readonly removed: number;
  readonly removed_bytes: number;
  readonly kept: number;
}

/** Removes contents that no record names. Age alone protects what a run puts before it is recorded; each `put` renews it. */
export async function collectGarbage(
  contents: Contents,
  store: Pick<Store, "db" | "now">,
  { olderThanMs, dryRun = false, onRemove }: GarbageOptions,
): Promise<Garbage> {
  // The clock of a database server is known only after a transaction.
  await store.db.transaction(async () => undefined, { key: "contents", durable: false });
  const before = new Date(store.now().getTime() - olderThanMs);
  const total = { removed: 0, removed_bytes: 0, kept: 0 };
  const isGone = async ({ sha256 }: StoredContent): Promise<boolean> =>
    dryRun
      ? !(await isNamed(store.db, sha256))
      : await contents.removeUnused(sha256, before, (tx) => isNamed(tx, sha256));
  const collect = async (batch: readonly StoredContent[]): Promise<void> => {
    const inEvidence = await namedInEvidence(store.db, new Set(batch.map(({ sha256 }) => sha256)));
    for (const content of batch) {
      if (inEvidence.has(content.sha256) || !(await isGone(content))) {
        total.kept++;
        continue;
      }
      total.removed++;
      total.removed_bytes += content.size;
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

const ARTIFACTS = {
  name: "artifacts",
  key: ["artifact_id"],
  columns: ["artifact_id", "path", "sha256", "size_bytes"],
};

/** Stores the artifacts of a history for all machines, from this project's files. A run makes what is missing again. */
export async function keepRecorded(
  url: string,
  artifactsUrl: string | null,
  projectRoot: string,
): Promise<{ readonly kept: number; readonly missing: number } | null> {
  const store = await openStore(url, { actor: "migrate", record: appendEvents });
  try {
    const contents = await openContents(artifactsUrl, store);
    if (!contents) return null;
    let [kept, missing] = [0, 0];
    for await (const rows of batchesOf(store.db, ARTIFACTS))
      for (const row of rows) {
        const [path, sha256] = [String(row.path), String(row.sha256)];
        if (await contents.has(sha256)) continue;
        if ((await verifyArtifact(projectRoot, { path, sha256 })) === "whole") {
          await contents.put({ sha256, size: Number(row.size_bytes) }, () =>
            artifactBytes(projectRoot, path),
          );
          kept++;
        } else missing++;
      }
    return { kept, missing };
  } finally {
    await store.db.close();
  }
}
