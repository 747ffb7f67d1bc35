import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { NO_DATABASE } from "./database.ts";
import { workCounts } from "./runs/runs.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

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
