import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { verifyStore } from "../../audit/verify-store.ts";
import { claimRun } from "../runs/claim.ts";
import { finishRun } from "../runs/finish.ts";
import { listRuns } from "../runs/runs.ts";
import { MIGRATIONS } from "../schema.ts";
import { claimFor, storeOn, successOf } from "../testing/example-run.ts";
import { openSqlite } from "./sqlite.ts";

/** The databases of released versions, each with the plan of `examples/05-plan`, runs, a failure and evidence. */
const RELEASES = [
  {
    version: "0.1.0",
    records: 36,
    head: "5602e9c378d770efdb8b6113ba5d99f6a6648e9b20fc272c293627679da5ddcd",
    runs: 9,
  },
];

describe.each(RELEASES)("a database of Knack $version", ({ version, records, head, runs }) => {
  it("is brought to this version's schema, with its whole history and a log that holds", async () => {
    using folder = makeFolder();
    const file = folder.at("state.db");
    copyFileSync(join(import.meta.dirname, "..", "testing", "fixtures", `state-${version}.db`), file);
    const db = await openSqlite(file);
    try {
      expect(await db.get("SELECT max(version) AS version FROM schema_migrations")).toMatchObject({
        version: MIGRATIONS.length,
      });
      expect(await verifyStore(db, { head })).toMatchObject({ ok: true, count: records, head, unchecked: 0 });
      expect(await listRuns(db, { limit: 100 })).toHaveLength(runs);
      const request = claimFor("new");
      expect(await claimRun(storeOn(db), request)).toMatchObject({ state: "claimed" });
      expect(await finishRun(storeOn(db), request.id, successOf("new"))).toMatchObject({ state: "recorded" });
      expect(await verifyStore(db, { head })).toMatchObject({ ok: true, count: records + 2 });
    } finally {
      await db.close();
    }
  });
});
