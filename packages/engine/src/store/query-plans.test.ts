import { makeFolder } from "@knack/core/testing";
import { expect, it } from "vitest";
import { isNamed } from "../contents/collect-garbage.ts";
import type { Database } from "./database.ts";
import { listRuns } from "./runs/runs.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

const READS: readonly [what: string, read: (db: Database) => Promise<unknown>, index: RegExp][] = [
  ["the runs of a skill", (db) => listRuns(db, { skill: "x", limit: 9 }), /skill_runs_skill/],
  ["whether a content is named", (db) => isNamed(db, "0".repeat(64)), /queued_runs USING INDEX/],
];

it.each(READS)("SQLite reads %s by an index", async (_what, read, index) => {
  using folder = makeFolder();
  const db = await openSqlite(folder.at("state.db"));
  const plans: string[] = [];
  const explain = async (...[sql, parameters]: Parameters<Database["all"]>): Promise<void> => {
    const rows = await db.all(`EXPLAIN QUERY PLAN ${sql}`, parameters);
    plans.push(...rows.map(({ detail }) => String(detail)));
  };
  const watched: Database = {
    ...db,
    all: async (...query) => explain(...query).then(() => db.all(...query)),
    get: async (...query) => explain(...query).then(() => db.get(...query)),
  };
  await read(watched);
  await db.close();
  expect(plans.join("\n")).toMatch(index);
  expect(plans.join("\n")).not.toMatch(/SCAN (skill_runs|queued_runs)(?! USING)/);
});
