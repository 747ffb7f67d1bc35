import type { StatePlace, TrustPlace } from "@knack/core/internal/engine";
import { type OpenOptions, openTeamStore, refuseUnknown } from "../open-store.ts";
import { isPostgres } from "../postgres/postgres-url.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import { monotonic, type Store } from "../store.ts";
import { fileOf, makeStore } from "./make-store.ts";

/** Opens the state of a project at the place that `findState` returns; creates it if there is none. */
export async function openState(place: StatePlace, user: TrustPlace, options: OpenOptions): Promise<Store> {
  if (isPostgres(place.url)) return openTeamStore(place.url, options);
  refuseUnknown(place.url);
  if (!place.exists && (place.isToRemember || place.project !== undefined)) await makeStore(place, user);
  const { base, isPrivate, storeId } = place;
  const db = await openSqlite(fileOf(place), {
    base,
    isPrivate,
    ...(storeId === undefined ? {} : { storeId }),
  });
  const { actor, record } = options;
  return { db, actor, now: () => new Date(), monotonic, record };
}
