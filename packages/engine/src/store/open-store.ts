import { existsSync, statSync } from "node:fs";
import { openSqlite } from "./sqlite.ts";
import type { RecordEvents, Store } from "./store.ts";
import { StoreError } from "./store-error.ts";

/** Whether the database that `store.url` names is there; one on a server always is. */
export function storeExists(url: string): boolean {
  const file = storeFile(url);
  return file === undefined || existsSync(file);
}

/** Which file it is; another after it was replaced, `undefined` where there is none. */
export function storeIdentity(url: string): string | undefined {
  const file = storeFile(url);
  const stats = file === undefined ? undefined : statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

/** The file of a store on this disk. */
export function storeFile(url: string): string | undefined {
  return /^sqlite:(.+)$/.exec(url)?.[1];
}

/** Opens the database that `store.url` names. */
export async function openStore(
  url: string,
  { actor, record }: { readonly actor: string; readonly record: RecordEvents },
): Promise<Store> {
  const file = storeFile(url);
  if (file === undefined)
    throw new StoreError(
      "IO",
      `The store ${url.replace(/:\/\/.*/, "://…")} is not one that this version knows; use sqlite:<path>.`,
    );
  return { db: await openSqlite(file), actor, now: () => new Date(), monotonic, record };
}

/** The system's own count: `performance.now()` begins with the process. */
function monotonic(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
