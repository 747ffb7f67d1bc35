import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { EngineError } from "../shared/engine-error.ts";
import type { PostgresDatabase } from "../store/postgres/postgres.ts";

const PART = 1024 * 1024;

export interface Bytes {
  readonly sha256: string;
  readonly size: number;
}

/** Keeps the bytes of an input where every worker can get them. */
export async function keepInput(
  { pool }: PostgresDatabase,
  file: string,
  { sha256, size }: Bytes,
): Promise<void> {
  const known = await pool.query("SELECT 1 FROM contents WHERE sha256 = $1", [sha256]);
  if (known.rows.length > 0) return;
  await using source = await open(file, "r");
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("BEGIN");
    await client.query(
      "INSERT INTO contents (sha256, size_bytes, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      [sha256, size, new Date().toISOString()],
    );
    const hash = createHash("sha256");
    for (let part = 0; ; part++) {
      const { bytesRead, buffer } = await source.read(Buffer.alloc(PART), 0, PART, part * PART);
      if (bytesRead === 0) break;
      const bytes = buffer.subarray(0, bytesRead);
      hash.update(bytes);
      await client.query(
        "INSERT INTO content_parts (sha256, part, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [sha256, part, bytes],
      );
    }
    if (hash.digest("hex") !== sha256)
      throw new EngineError("INVALID_PARAM", `${file} changed while it was being read; run it again.`);
    await client.query("COMMIT");
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release(failure !== undefined);
  }
}

/** Writes the bytes of a digest to a file that does not exist yet. */
export async function materialise(
  { pool }: PostgresDatabase,
  { sha256 }: Bytes,
  toPath: string,
): Promise<void> {
  await using target = await open(toPath, "wx", 0o600);
  const hash = createHash("sha256");
  for (let part = 0; ; part++) {
    const { rows } = await pool.query("SELECT bytes FROM content_parts WHERE sha256 = $1 AND part = $2", [
      sha256,
      part,
    ]);
    if (rows.length === 0) break;
    hash.update(rows[0].bytes);
    await target.writeFile(rows[0].bytes);
  }
  if (hash.digest("hex") !== sha256)
    throw new EngineError("NOT_FOUND", `The input with the digest ${sha256} is not in the store.`);
}
