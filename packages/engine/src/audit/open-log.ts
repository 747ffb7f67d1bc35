import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { appendEvents } from "./chain.ts";

/** The database with its log, for a program that records what happens without running anything. */
export function openLog(url: string, actor: string): Promise<Store> {
  return openStore(url, { actor, record: appendEvents });
}
