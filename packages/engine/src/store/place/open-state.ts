import type { StatePlace, TrustPlace } from "@knack/core/internal/engine";
import { openTeamStore, refuseUnknown } from "../open-store.ts";
import { isPostgres } from "../postgres/postgres-url.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import { monotonic, type RecordEvents, type Store } from "../store.ts";
import { fileOf, makeStore } from "./make-store.ts";

/** Opens the state of a project at the place that `findState` returns; creates it if there is none. */
export async function openState(
  place: StatePlace,
  user: TrustPlace,
  {
    actor,
    record,
    tell,
  }: {
    readonly actor: string;
    readonly record: RecordEvents;
    readonly tell?: ((line: string) => void) | undefined;
  },
): Promise<Store> {
  if (isPostgres(place.url)) return openTeamStore(place.url, { actor, record, tell });
  refuseUnknown(place.url);
  if (!place.exists && (place.isToRemember || place.project !== undefined)) await makeStore(place, user);
  const { base, isPrivate, storeId } = place;
  const db = await openSqlite(fileOf(place), {
    base,
    isPrivate,
    ...(storeId === undefined ? {} : { storeId }),
  });
  return { db, actor, now: () => new Date(), monotonic, record };
}
