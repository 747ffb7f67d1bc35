import { existsSync } from "node:fs";
import type { SessionEvent } from "@knack/core";
import type { Store } from "@knack/engine";

const stores = new Map<string, Promise<Store>>();

/** Writes what happened into the project's log. A project without a database has no log, and this makes none. */
export async function record(url: string, { type, actor, data }: SessionEvent): Promise<void> {
  if (!existsSync(url.replace(/^sqlite:/, ""))) return;
  let opening = stores.get(url);
  if (!opening) {
    opening = import("@knack/engine").then(({ openLog }) => openLog(url, "cli"));
    stores.set(url, opening);
  }
  const store = await opening;
  const event = { type, planId: null, taskId: null, runId: null, payload: { ...data, by: actor } };
  await store.db.transaction(
    (tx) => store.record(tx, [event], { actor: store.actor, at: store.now().toISOString() }),
    { durable: false },
  );
}
