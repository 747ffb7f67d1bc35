import { describe, expect, it } from "vitest";
import { laneOf } from "../../packages/engine/src/queue/queued-run.ts";
import { queueGroups } from "./queue-groups.ts";
import { type Machine, Team } from "./team.ts";

describe("fairness between plans", () => {
  it("ends a plan of five runs long before one of two hundred that was queued first", async () => {
    await using team = await Team.start();
    const machine = team.trusting();
    const [, few = []] = await queueGroups(team, machine, [
      { plan: "many", count: 200 },
      { plan: "few", count: 5 },
    ]);
    await using worker = await machine.worker(["--concurrency", "1"]);
    const started = (): string[] =>
      worker.lines.filter(({ event }) => event === "start").map(({ id = "" }) => id);
    await expect.poll(() => few.every((id) => started().includes(id))).toBe(true);
    const before = started().slice(0, Math.max(...few.map((id) => started().indexOf(id))));
    // In turns: one of each, until the plan of five has no more.
    expect(before.length).toBeLessThanOrEqual(10);
  });

  it("begins with the turn that is served now, so that later plans do not overtake for ever", async () => {
    await using team = await Team.start();
    const machine = team.trusting();
    const first = await queueGroups(team, machine, [{ plan: "a", count: 20 }]);
    {
      await using db = await team.db();
      // Half of it is done.
      const done = (first[0] ?? []).slice(0, 10);
      await db.run(
        `UPDATE queued_runs SET state = 'SUCCEEDED' WHERE queue_id IN (${done.map(() => "?").join(", ")})`,
        done,
      );
    }
    await queueGroups(team, machine, [
      { plan: "b", count: 3 },
      { plan: null, by: "someone", count: 1 },
    ]);
    await using db = await team.db();
    const rows = await db.all(
      "SELECT flow, MIN(turn) AS first, MAX(turn) AS last FROM queued_runs WHERE state = 'WAITING' GROUP BY flow ORDER BY flow",
    );
    expect(rows).toEqual([
      { flow: "by someone", first: 10, last: 10 },
      { flow: "plan a", first: 10, last: 19 },
      { flow: "plan b", first: 10, last: 12 },
    ]);
  });
});

describe("lanes", () => {
  const version = { skill: "says", digest: "d", tags: ["a", "b"] };

  it("differ by skill, digest and tags, and are names that pg-boss takes", () => {
    const lanes = [
      version,
      { ...version, skill: "says_more" },
      { ...version, digest: "e" },
      { ...version, tags: ["a"] },
      { ...version, tags: ["ab"] },
    ].map(laneOf);
    expect(new Set(lanes).size).toBe(5);
    for (const lane of lanes) expect(lane).toMatch(/^[\w.-]{1,100}$/);
  });
});

describe("starting at once", () => {
  it("creates the tables of pg-boss once, in ten processes that start together", async () => {
    await using team = await Team.start();
    const machines = Array.from({ length: 10 }, () => team.machine());
    const ended = await Promise.all(
      machines.map((machine) => machine.knack(["run", "file_fingerprint", "a.txt", "--queue", "--no-wait"])),
    );
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ended.map(() => ({ code: 0, stderr: "" })),
    );
    expect((await (machines[0] as Machine).queue()).counts.waiting).toBe(10);
  });
});

describe("the way of a queued run into the tables", () => {
  it("is by index, whatever the length of the history", async () => {
    await using team = await Team.start();
    const machine = team.trusting();
    await queueGroups(team, machine, [{ plan: "a", count: 200 }]);
    await using db = await team.db();
    await db.pool.query(
      `INSERT INTO queued_runs (queue_id, job_id, lane, state, skill_name, priority, flow, turn, tags_json, request_json, queued_by, queued_at, finished_at)
       SELECT 'old' || n, 'old' || n, lane, 'SUCCEEDED', skill_name, 0, 'plan a', n, '[]', '{}', 'test', queued_at, queued_at
       FROM generate_series(1, 50000) AS n, (SELECT lane, skill_name, queued_at FROM queued_runs LIMIT 1) AS one`,
    );
    await db.pool.query("ANALYZE queued_runs");
    const plan = async (sql: string): Promise<string> =>
      (await db.pool.query(`EXPLAIN ${sql}`)).rows.map((row) => Object.values(row).join("")).join("\n");
    for (const sql of [
      "SELECT MIN(turn) FROM queued_runs WHERE lane = 'l' AND priority = 0 AND state IN ('WAITING', 'FAILED')",
      "SELECT MAX(turn) FROM queued_runs WHERE lane = 'l' AND flow = 'plan a' AND priority = 0 AND state IN ('WAITING', 'FAILED')",
      "SELECT * FROM queued_runs WHERE state = 'RUNNING'",
      "SELECT * FROM queued_runs WHERE finished_at >= '2999'",
    ])
      expect(await plan(sql)).not.toContain("Seq Scan");
  });
});
