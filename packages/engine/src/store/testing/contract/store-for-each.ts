import { afterEach, beforeEach, expect } from "vitest";
import { verifyLog } from "../../../audit/verify-store.ts";
import type { Database } from "../../database.ts";
import { type ClaimRequest, claimRun } from "../../runs/claim.ts";
import { finishRun } from "../../runs/finish.ts";
import type { Store } from "../../store.ts";
import { claimFor, storeOn, successOf } from "../example-run.ts";
import type { DatabaseUnderTest } from "./contract.ts";

/** A new store for each test of a suite, with a clock that moves only when the test moves it. */
export interface StoreUnderTest {
  readonly db: Database;
  readonly store: Store;
  now: number;
  /** Claims a key and returns the run's id. */
  claimed(key: string, more?: Partial<ClaimRequest>): Promise<string>;
  /** Claims a key and finishes it with an artifact of this content. */
  succeeded(key: string, content?: string, more?: Partial<ClaimRequest>): Promise<string>;
  /** The types of all events, in order. */
  events(): Promise<unknown[]>;
}

/** Whatever a test did, the log must verify at its end. */
export function storeForEach(open: () => Promise<DatabaseUnderTest>): StoreUnderTest {
  let under: DatabaseUnderTest;
  let store: Store;
  beforeEach(async () => {
    under = await open();
    test.now = Date.parse("2026-01-01T00:00:00.000Z");
    store = storeOn(under.db, () => new Date(test.now));
  });
  afterEach(async () => {
    expect(await verifyLog(under.db)).toMatchObject({ ok: true });
    await under.dispose();
  });
  const test: StoreUnderTest = {
    now: 0,
    get db() {
      return under.db;
    },
    get store() {
      return store;
    },
    claimed: async (key, more = {}) => {
      const request = claimFor(key, more);
      expect(await claimRun(store, request)).toMatchObject({ state: "claimed", run: { status: "RUNNING" } });
      test.now += 1;
      return request.id;
    },
    succeeded: async (key, content = key, more = {}) => {
      const id = await test.claimed(key, more);
      expect(await finishRun(store, id, successOf(content))).toMatchObject({ state: "recorded" });
      test.now += 1;
      return id;
    },
    events: async () =>
      (await under.db.all("SELECT event_type FROM task_events ORDER BY seq")).map((row) => row.event_type),
  };
  return test;
}
