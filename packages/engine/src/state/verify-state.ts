import type { StatePlace, TrustPlace } from "@knack/core/internal/engine";
import { appendEvents } from "../audit/chain.ts";
import { GENESIS } from "../audit/event-hash.ts";
import { type StoreVerification, verifyStore } from "../audit/verify-store.ts";
import type { Database } from "../store/database.ts";
import { storeFile } from "../store/open-store.ts";
import { openState } from "../store/place/open-state.ts";
import { shownStore } from "../store/postgres/postgres-url.ts";
import { mayWriteBeside, openCopy } from "../store/sqlite/open-copy.ts";
import { StoreError } from "../store/store-error.ts";

const EMPTY = { ok: true, count: 0, head: GENESIS, version: 2, rows: 0, unchecked: 0, running: 0 } as const;
const NOWHERE = { ok: false, count: 0, seq: null, table: "store_identity", row: "1" } as const;

/** The checked database; `null` if there is none. */
export type StateVerification = StoreVerification & { readonly database: string | null };

/**
 * Checks the log of a project, and all tables against it. What is checked is the database that is used; where there is none
 * yet, the one that came with the project, on a private copy, as is one that must not be written.
 */
export async function verifyState(
  place: StatePlace,
  user: TrustPlace,
  projectRoot: string,
  head?: string,
): Promise<StateVerification> {
  const { foreign, exists, isGone } = place;
  if (!exists && !foreign) return { ...nothing(isGone === true, head), database: null };
  const file = storeFile(place.url);
  const checked = exists || !foreign ? place : undefined;
  const database = checked ? (file ?? shownStore(place.url)) : (foreign?.path ?? shownStore(place.url));
  let db: Database | undefined;
  try {
    db = checked ? await open(checked, user) : await openCopy(projectRoot, database);
    const storeId = checked ? checked.storeId : foreign?.storeId;
    return { ...(await verifyStore(db, { head, storeId })), database };
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "FOREIGN") throw error;
    return { ...NOWHERE, fault: "other store", message: error.message, database };
  } finally {
    await db?.close();
  }
}

/** Nothing was recorded; or what was recorded is gone. */
function nothing(isGone: boolean, head: string | undefined): StoreVerification {
  if (isGone)
    return {
      ...NOWHERE,
      fault: "row missing",
      message:
        "The database of this project is missing. Restore it from a backup; if you removed it yourself, the next run creates a new one.",
    };
  if (head === undefined || head === GENESIS) return EMPTY;
  return {
    ok: false,
    count: 0,
    seq: 1,
    fault: "cut",
    message: "There is no log here that could contain the given head: it was removed, or is elsewhere.",
  };
}

async function open(place: StatePlace, user: TrustPlace): Promise<Database> {
  const file = storeFile(place.url);
  if (file !== undefined && !mayWriteBeside(file)) return openCopy(place.base, file);
  return (await openState(place, user, { actor: "verify", record: appendEvents })).db;
}
