import { setTimeout as wait } from "node:timers/promises";
import { claimRun } from "../runs/claim.ts";
import { finishRun } from "../runs/finish.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import { claimFor, storeOn, successOf } from "./example-run.ts";
import type { SmallDisk } from "./small-disk.ts";
import { STORES, type StoreName } from "./wrong-stores.ts";

const MAX_RUNS = 2000;
const MAX_FAILURES = 5;

export interface FillReport {
  readonly reported: readonly string[];
  readonly failures: readonly unknown[];
  /** The result of a run, on the same connection, once there was space again. */
  readonly after: string;
}

/** Records runs until the disk is full, tries some more, then frees space and records one. */
export async function fillUp(file: string, name: StoreName, disk: SmallDisk): Promise<FillReport> {
  const { claim, finish } = STORES[name];
  const store = storeOn(await openSqlite(file));
  await disk.limit(store.db);
  const reported: string[] = [];
  const failures: unknown[] = [];
  for (let run = 0; run < MAX_RUNS && failures.length < MAX_FAILURES; run++) {
    const request = claimFor(`k${run}`);
    try {
      await claim(store, request);
      const { state } = await finish(store, request.id, {
        ...successOf(`k${run}`),
        logTail: "x".repeat(200),
      });
      if (state === "recorded") reported.push(request.id);
    } catch (error) {
      failures.push(error);
    }
  }
  // A store that answers too early may still be writing.
  await wait(20);
  await disk.enlarge(store.db);
  const request = claimFor("after");
  await claimRun(store, request);
  const { state } = await finishRun(store, request.id, successOf("after"));
  await store.db.close();
  return { reported, failures, after: state };
}
