import { openPostgres } from "../postgres/postgres.ts";
import { isPostgres } from "../postgres/postgres-url.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import type { Store } from "../store.ts";
import { storeOn } from "./example-run.ts";

/** A store at the path of an SQLite file or the address of a PostgreSQL database, so that a test can use either. */
export async function openTestStore(place: string): Promise<Store> {
  if (!isPostgres(place)) return storeOn(await openSqlite(place));
  const db = await openPostgres(place);
  return { ...storeOn(db), now: () => db.now(), hasSharedClock: true };
}
