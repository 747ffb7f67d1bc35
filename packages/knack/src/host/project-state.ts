import type { Config } from "@knack/core";
import { findState, type StatePlace } from "@knack/core/internal";
import { placeOf } from "./place.ts";

/** Where the state of a project is now: trust may have been given or revoked since the last call. */
export function projectState(projectRoot: string, { store }: Config): StatePlace {
  return findState({ ...placeOf(projectRoot), url: store.url });
}
