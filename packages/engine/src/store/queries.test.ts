import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { isNamed } from "../contents/collect-garbage.ts";
import { type Database, NO_DATABASE } from "./database.ts";
import { listRuns, workCounts } from "./runs/runs.ts";
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

const NOW = new Date("2026-01-01T00:01:00.000Z");

describe("how much work there is", () => {
  it("is none without a database", async () => {
    const queued = { waiting: 0, running: 0, failed: 0, dead: 0 };
    expect(await workCounts(NO_DATABASE, NOW)).toEqual({ queued, workers: 0, auditRecords: 0 });
  });

  it("counts open runs by state through the index, and workers with a lease", async () => {
    using folder = makeFolder();
    const db = await openSqlite(folder.at("state.db"));
    const states = ["WAITING", "RUNNING", "RUNNING", "SUCCEEDED", "FAILED", "DEAD", "CANCELLED"];
    for (const [id, state] of states.entries())
      await db.run(
        `INSERT INTO queued_runs (queue_id, job_id, lane, state, skill_name, priority, flow, turn, tags_json,
           request_json, queued_by, queued_at) VALUES (?, 'j', 'l', ?, 's', 0, 'f', 0, '[]', '{}', 'test', '')`,
        [String(id), state],
      );
    const seen = ["2026-01-01T00:01:30.000Z", "2025-12-31T23:59:00.000Z"];
    for (const [id, at] of seen.entries())
      await db.run("INSERT INTO workers VALUES (?, 'h', 1, 1, '[]', '[]', '', ?, ?, ?)", [
        String(id),
        at,
        at,
        at,
      ]);
    const queued = { waiting: 1, running: 2, failed: 1, dead: 1 };
    expect(await workCounts(db, NOW)).toEqual({ queued, workers: 1, auditRecords: 0 });
    const plan = await db.all(
      "EXPLAIN QUERY PLAN SELECT state, COUNT(*) AS runs FROM queued_runs WHERE state IN ('WAITING', 'RUNNING', 'FAILED', 'DEAD') GROUP BY state",
    );
    expect(plan.map(({ detail }) => detail).join("\n")).toMatch(/USING COVERING INDEX queued_runs_open/);
    await db.close();
  });
});
