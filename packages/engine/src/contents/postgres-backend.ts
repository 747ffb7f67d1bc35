import { codeOf } from "@knack/core/text";
import { Slots } from "../shared/slots.ts";
import { batchesOf, type Database, insertRow, type Row } from "../store/database.ts";
import type { PostgresDatabase } from "../store/postgres/postgres.ts";
import { type Backend, type Digest, inParts, type StoredContent } from "./contents.ts";

const PART_BYTES = 1024 * 1024;
/** A write holds a connection to its end, and the pool has few. */
const MAX_WRITES = 2;
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

  /** One transaction, so that nobody ever sees a part of it. */
  async write(digest: Digest, bytes: () => AsyncIterable<Uint8Array>, isBroken: boolean): Promise<void> {
    const { sha256, size } = digest;
    const write = async (tx: Database): Promise<void> => {
      // Another process may have written it in the meantime.
      if (!isBroken && (await this.renew(digest, this.#now(), tx))) return;
      await this.remove(sha256, tx);
      const row = { sha256, size_bytes: size, created_at: this.#now().toISOString() };
      await insertRow(tx, "contents", row);
      let part = 0;
      for await (const piece of inParts(bytes(), PART_BYTES))
        await insertRow(tx, "content_parts", { sha256, part: part++, bytes: piece });
    };
    const leave = await this.#writes.enter();
    const end = performance.now() + MAX_WAIT_MS;
    try {
      for (;;)
        try {
          return await this.#db.transaction(write, { key: `write ${sha256}` });
        } catch (error) {
          // Another process writes it, and a large one takes longer than the database waits.
          if (codeOf(error) !== "BUSY" || performance.now() > end) throw error;
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

  async *#parts(sha256: string, size: number): AsyncGenerator<Uint8Array> {
    for (let part = 0, count = 0; count < size; part++) {
      const sql = "SELECT bytes FROM content_parts WHERE sha256 = ? AND part = ?";
      const piece = (await this.#db.get(sql, [sha256, part]))?.bytes as Uint8Array | undefined;
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
