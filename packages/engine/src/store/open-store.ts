import { lstatSync } from "node:fs";
import { KnackError } from "@knack/core/text";
import type { Database } from "./database.ts";
import type { PostgresDatabase } from "./postgres/postgres.ts";
import { isPostgres } from "./postgres/postgres-url.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import { monotonic, type RecordEvents, type Store } from "./store.ts";

export function storeFile(url: string): string | undefined {
  return /^sqlite:(.+)$/.exec(url)?.[1];
}

/** Changes when the file of the store is replaced; `undefined` if it does not exist. A server's is always there. */
export function storeIdentity(url: string): string | undefined {
  const file = storeFile(url);
  if (file === undefined) return "server";
  try {
    const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  } catch (error) {
    // The user's folder is a file: there is no database, and whoever writes says why.
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** A database on a server, with what only PostgreSQL has. */
export function isPostgresDatabase(db: Database): db is PostgresDatabase {
  return "pool" in db && "address" in db;
}

interface OpenOptions {
  readonly actor: string;
  readonly record: RecordEvents;
  readonly tell?: ((line: string) => void) | undefined;
  /** No step of a server's takes longer, and nobody waits longer for a file. */
  readonly limitMs?: number | undefined;
}

export async function openStore(url: string, { actor, record, tell, limitMs }: OpenOptions): Promise<Store> {
  if (isPostgres(url)) {
    // Loaded only here: one person's SQLite needs no driver.
    const { openPostgres } = await import("./postgres/postgres.ts");
    const db = await openPostgres(url, { tell, limitMs });
    return { db, actor, now: () => db.now(), hasSharedClock: true, monotonic, record };
  }
  const file = storeFile(url);
  if (file === undefined)
    throw new KnackError(
      "IO",
      `The store ${url.replace(/:\/\/.*/, "://…")} is not supported; use sqlite:<path> or postgres://host/database.`,
    );
  const db = await openSqlite(file, { busyTimeoutMs: limitMs });
  return { db, actor, now: () => new Date(), monotonic, record };
}
