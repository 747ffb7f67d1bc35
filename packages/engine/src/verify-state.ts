import type { StatePlace, TrustPlace } from "@knack/core/internal/engine";
import { appendEvents } from "./audit/chain.ts";
import { GENESIS } from "./audit/event-hash.ts";
import { type StoreVerification, verifyStore } from "./audit/verify-store.ts";
import type { Database } from "./store/database.ts";
import { mayWriteBeside, openCopy } from "./store/open-copy.ts";
import { storeFile } from "./store/open-store.ts";
import { openState } from "./store/place/open-state.ts";
import { StoreError } from "./store/store-error.ts";

const EMPTY = { ok: true, count: 0, head: GENESIS, version: 2, rows: 0, unchecked: 0, running: 0 } as const;

/**
 * Checks the log of a project, and all tables against it. A database that must not be written, and one that this user's Knack
 * did not make, is checked on a private copy.
 */
export async function verifyState(
  place: StatePlace,
  user: TrustPlace,
  projectRoot: string,
  head?: string,
): Promise<StoreVerification> {
  if (!place.foreign && !place.exists) return EMPTY;
  let db: Database | undefined;
  try {
    if (place.foreign) db = await openCopy(projectRoot, place.foreign.path);
    else db = await open(place, user);
    return await verifyStore(db, { head, storeId: place.storeId });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "FOREIGN") throw error;
    const where = { seq: null, table: "store_identity", row: "1" } as const;
    return { ok: false, count: 0, fault: "other store", ...where, message: error.message };
  } finally {
    await db?.close();
  }
}

async function open(place: StatePlace, user: TrustPlace): Promise<Database> {
  const file = storeFile(place.url);
  if (file !== undefined && !mayWriteBeside(file)) return openCopy(place.base, file);
  return (await openState(place, user, { actor: "verify", record: appendEvents })).db;
}
