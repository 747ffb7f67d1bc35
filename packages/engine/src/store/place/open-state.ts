import type { StatePlace, TrustPlace } from "@knack/core/internal/engine";
import { openSqlite } from "../sqlite/sqlite.ts";
import { monotonic, type RecordEvents, type Store } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { fileOf, makeStore } from "./make-store.ts";

/** Opens the state of a project at the place that `findState` returns; creates it if there is none. */
export async function openState(
  place: StatePlace,
  user: TrustPlace,
  { actor, record }: { readonly actor: string; readonly record: RecordEvents },
): Promise<Store> {
  if (!place.url.startsWith("sqlite:"))
    throw new StoreError(
      "IO",
      `The store ${place.url.replace(/:\/\/.*/, "://…")} is not supported; use sqlite:<path>.`,
    );
  if (!place.exists && (place.isToRemember || place.project !== undefined)) await makeStore(place, user);
  const { base, isPrivate, storeId } = place;
  const db = await openSqlite(fileOf(place), {
    base,
    isPrivate,
    ...(storeId === undefined ? {} : { storeId }),
  });
  return { db, actor, now: () => new Date(), monotonic, record };
}
