import { setTimeout as wait } from "node:timers/promises";
import { Slots } from "../shared/slots.ts";
import { batchesOf, type Database, type Row } from "../store/database.ts";
import type { PostgresDatabase } from "../store/postgres/postgres.ts";
import { isTakenNow, isUnique, retryLost, storeErrorOf } from "../store/postgres/postgres-errors.ts";
import { borrow, inTransaction } from "../store/postgres/postgres-transaction.ts";
import { type Backend, type Digest, inParts, type StoredContent } from "./contents.ts";

const PART_BYTES = 1024 * 1024;
/** A write holds a connection to its end, and the pool has few. */
const MAX_WRITES = 2;
const PATIENCE_MS = 30_000;
/** How long one waits for another process that writes the same content. */
const MAX_WAIT_MS = 15 * 60_000;
const CONTENTS = { name: "contents", key: ["sha256"], columns: ["sha256", "size_bytes", "created_at"] };

export class PostgresBackend implements Backend {
  readonly #db: PostgresDatabase;
  readonly #now: () => Date;
  readonly #writes = new Slots(MAX_WRITES);

  constructor(db: PostgresDatabase, now: () => Date) {
    this.#db = db;
    this.#now = now;
  }

  get shown(): string {
    return this.#db.address.shown;
  }

  async find(sha256: string, tx: Database = this.#db): Promise<StoredContent | null> {
    const row = await tx.get(
      `SELECT sha256, created_at,
         (SELECT COALESCE(sum(octet_length(bytes)), 0) FROM content_parts p WHERE p.sha256 = c.sha256) AS size_bytes
       FROM contents c WHERE sha256 = ?`,
      [sha256],
    );
    return row ? contentOf(row) : null;
  }

  async renew({ sha256, size }: Digest, at: Date, tx: Database): Promise<boolean> {
    const found = await this.find(sha256, tx);
    if (found?.size !== size) return false;
    const sql = "UPDATE contents SET created_at = ? WHERE sha256 = ? AND size_bytes = ?";
    return (await tx.run(sql, [at.toISOString(), sha256, size])).changes > 0;
  }

  async write(digest: Digest, bytes: () => AsyncIterable<Uint8Array>): Promise<void> {
    const leave = await this.#writes.enter();
    try {
      const end = performance.now() + MAX_WAIT_MS;
      for (;;) {
        try {
          await retryLost(PATIENCE_MS, () => this.#write(digest, bytes()));
          return;
        } catch (error) {
          // Another process has written it in the meantime.
          if (isUnique(error)) return;
          if (!isTakenNow(error) || performance.now() > end) throw storeErrorOf(error, this.shown);
          await wait(100 + Math.random() * 400);
        }
      }
    } finally {
      leave();
    }
  }

  async read(sha256: string): Promise<AsyncIterable<Uint8Array> | null> {
    const found = await this.#db.get("SELECT size_bytes FROM contents WHERE sha256 = ?", [sha256]);
    return found ? this.#parts(sha256, Number(found.size_bytes)) : null;
  }

  async *list(): AsyncGenerator<StoredContent> {
    for await (const rows of batchesOf(this.#db, CONTENTS)) yield* rows.map(contentOf);
  }

  async remove(sha256: string, tx: Database): Promise<void> {
    // The parts go with their row.
    await tx.run("DELETE FROM contents WHERE sha256 = ?", [sha256]);
  }

  /** The server itself forgets what was not committed. */
  async sweep(): Promise<void> {}

  /** One transaction, so that nobody ever sees a part of it. */
  #write({ sha256, size }: Digest, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    return borrow(this.#db.pool, (client) =>
      inTransaction(client, "BEGIN; SET LOCAL lock_timeout = '5s'", async () => {
        const row = [sha256, size, this.#now().toISOString()];
        await client.query("DELETE FROM contents WHERE sha256 = $1", [sha256]);
        await client.query("INSERT INTO contents (sha256, size_bytes, created_at) VALUES ($1, $2, $3)", row);
        const text = "INSERT INTO content_parts (sha256, part, bytes) VALUES ($1, $2, $3)";
        let part = 0;
        for await (const piece of inParts(bytes, PART_BYTES))
          await client.query({ name: "knack_content_part", text, values: [sha256, part++, piece] });
      }),
    );
  }

  async *#parts(sha256: string, size: number): AsyncGenerator<Uint8Array> {
    const text = "SELECT bytes FROM content_parts WHERE sha256 = $1 AND part = $2";
    const { pool } = this.#db;
    for (let part = 0, count = 0; count < size; part++) {
      const found = await retryLost(PATIENCE_MS, () =>
        pool.query<{ bytes: Buffer }>(text, [sha256, part]),
      ).catch((error: unknown) => {
        throw storeErrorOf(error, this.shown);
      });
      const piece = found.rows[0]?.bytes;
      // It ends too early: whoever reads it compares the digest.
      if (!piece) return;
      yield piece;
      count += piece.length;
    }
  }
}

function contentOf(row: Row): StoredContent {
  return { sha256: String(row.sha256), size: Number(row.size_bytes), createdAt: String(row.created_at) };
}
