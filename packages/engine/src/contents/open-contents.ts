import { KnackError, quote } from "@knack/core/text";
import type { Database } from "../store/database.ts";
import { isPostgresDatabase } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { Contents } from "./contents.ts";

/** Opens what `artifacts.url` names. `null` is the database of a team, and for one person nothing. */
export async function openContents(
  url: string | null,
  store: Pick<Store, "db" | "now">,
): Promise<Contents | null> {
  const { db, now } = store;
  if (isPostgresDatabase(db) && (url === null || url === "postgres")) {
    const { PostgresBackend } = await import("./postgres-backend.ts");
    return new Contents(new PostgresBackend(db, now), store);
  }
  if (url === null) return null;
  if (url.startsWith("s3://")) {
    const { openS3 } = await import("./s3-backend.ts");
    return new Contents(await openS3(url, await storeId(db)), store);
  }
  throw new KnackError(
    "CONFIG_INVALID",
    url === "postgres"
      ? "artifacts.url: postgres needs a store in PostgreSQL. Set store.url to postgres://…, or use s3://…."
      : `artifacts.url ${quote(url)} is not supported; use postgres or s3://bucket/prefix.`,
  );
}

/** A bucket may serve several stores, and each removes only what is its own. */
async function storeId(db: Database): Promise<string> {
  const id = String((await db.get("SELECT store_id FROM store_identity"))?.store_id);
  if (!/^[0-9a-f]{32}$/.test(id)) throw new KnackError("CORRUPT", "The id of the store is not valid.");
  return id;
}
