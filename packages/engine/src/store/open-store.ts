import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { realBase, type StatePlace } from "@knack/core/internal/engine";
import type { Database } from "./database.ts";
import type { PostgresDatabase } from "./postgres/postgres.ts";
import { isPostgres } from "./postgres/postgres-url.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import { monotonic, type RecordEvents, type Store } from "./store.ts";
import { StoreError } from "./store-error.ts";

/** The database that an embedding program configures. A database on a server always counts as existing. */
export function statedStore(url: string): StatePlace {
  const file = storeFile(url);
  const rest = { isPrivate: false, isToRemember: false };
  if (file === undefined) return { url, base: "", exists: true, ...rest };
  const base = realBase(dirname(file));
  const exists = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  return { url: `sqlite:${join(base, basename(file))}`, base, exists, ...rest };
}

/** The identity of the file: changes when it is replaced, `undefined` if it does not exist. */
export function storeIdentity(url: string): string | undefined {
  const file = storeFile(url);
  const stats = file === undefined ? undefined : lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

/** The file of a store on this disk. */
export function storeFile(url: string): string | undefined {
  return /^sqlite:(.+)$/.exec(url)?.[1];
}

/** A database on a server, with what only PostgreSQL has. */
export function isPostgresDatabase(db: Database): db is PostgresDatabase {
  return "pool" in db && "address" in db;
}

export interface OpenOptions {
  readonly actor: string;
  readonly record: RecordEvents;
  /** Tells a person what is waited for. */
  readonly tell?: ((line: string) => void) | undefined;
}

/** Opens a PostgreSQL database. Its driver is loaded only here: one person's SQLite needs none. */
export async function openTeamStore(url: string, { actor, record, tell }: OpenOptions): Promise<Store> {
  const { openPostgres } = await import("./postgres/postgres.ts");
  const db = await openPostgres(url, { tell });
  return { db, actor, now: () => db.now(), hasSharedClock: true, monotonic, record };
}

export function refuseUnknown(url: string): void {
  if (storeFile(url) === undefined)
    throw new StoreError(
      "IO",
      `The store ${url.replace(/:\/\/.*/, "://…")} is not supported; use sqlite:<path> or postgres://host/database.`,
    );
}
/** Opens the database that `store.url` names. */
export async function openStore(url: string, options: OpenOptions): Promise<Store> {
  if (isPostgres(url)) return openTeamStore(url, options);
  refuseUnknown(url);
  const { actor, record } = options;
  return { db: await openSqlite(storeFile(url) ?? ""), actor, now: () => new Date(), monotonic, record };
}
