import { KnackError, quote } from "@knack/core/text";
import type { Database } from "../store/database.ts";
import { isPostgresDatabase } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { type Backend, Contents } from "./contents.ts";

type StoreOfContents = Pick<Store, "db" | "now">;

/**
 * Opens what `artifacts.url` names. `null` is the database of a team, and for one person nothing: then artifacts are local
 * files alone, and no code of this stage is loaded.
 */
export async function openContents(url: string | null, store: StoreOfContents): Promise<Contents | null> {
  const backend = await openBackend(url, store);
  return backend && new Contents(backend, store);
}

async function openBackend(url: string | null, store: StoreOfContents): Promise<Backend | null> {
  const { db } = store;
  if (url === null || url === "postgres") {
    if (isPostgresDatabase(db)) {
      const { PostgresBackend } = await import("./postgres-backend.ts");
      return new PostgresBackend(db, store.now);
    }
    if (url === null) return null;
    throw refused(
      "artifacts.url: postgres needs a store in PostgreSQL. Set store.url to postgres://…, or use s3://….",
    );
  }
  if (url.startsWith("s3://")) {
    const { openS3 } = await import("./s3-backend.ts");
    return openS3(url, await storeId(db));
  }
  throw refused(`artifacts.url ${quote(url)} is not supported; use postgres or s3://bucket/prefix.`);
}

function refused(message: string): KnackError {
  return new KnackError("CONFIG_INVALID", message);
}

/** A bucket may serve several stores, and each removes only what is its own. */
async function storeId(db: Database): Promise<string> {
  const id = String((await db.get("SELECT store_id FROM store_identity"))?.store_id);
  if (!/^[0-9a-f]{32}$/.test(id)) throw new KnackError("CORRUPT", "The id of the store is not valid.");
  return id;
}
