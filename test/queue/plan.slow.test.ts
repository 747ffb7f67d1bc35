import { describe, expect, it } from "vitest";
import { Team, teamSkills } from "./team.ts";

const PLAN = `version: 1
plan: hello
title: Say things
tasks:
  - { id: first, title: First, skill: says, params: { text: one, ms: 300 } }
  - { id: second, title: Second, skill: says, params: { text: two, ms: 300 } }
  - { id: third, title: Third, skill: says, params: { text: three, ms: 300 } }
  - { id: last, title: Last, skill: says, params: { text: four }, depends_on: [first, second, third] }
`;

describe("knack plan run --queue", () => {
  it("runs all READY tasks at once on several workers, then those that become ready", async () => {
    await using team = await Team.start();
    const files = { ...teamSkills(), "repo/plan.yaml": PLAN };
    const [asking, one, two] = [team.machine(files), team.machine(files), team.machine(files)];
    for (const machine of [asking, one, two]) machine.trust();
    await using first = await one.worker(["--concurrency", "2"]);
    await using second = await two.worker(["--concurrency", "2"]);
    const run = await asking.knack(["plan", "run", "plan.yaml", "--queue", "--json"]);
    expect(run.stderr).toBe("");
    expect(run.code).toBe(0);
    const status = run.json();
    expect(
      status.tasks.map(({ id, status: now, cached }: Record<string, unknown>) => [id, now, cached]),
    ).toEqual([
      ["first", "DONE", false],
      ["second", "DONE", false],
      ["third", "DONE", false],
      ["last", "DONE", false],
    ]);
    const starts = [first, second].map(({ lines }) => lines.filter(({ event }) => event === "start").length);
    expect(starts.reduce((sum, n) => sum + n, 0)).toBe(4);
    expect(Math.min(...starts)).toBeGreaterThan(0);
    // Again: everything is there, and no worker is asked.
    const again = (await asking.knack(["plan", "run", "plan.yaml", "--queue", "--json"])).json();
    expect(again.tasks.every(({ cached }: { cached: boolean }) => cached)).toBe(true);
    expect((await asking.knack(["audit", "verify"])).code).toBe(0);
  });

  it("queues many READY tasks at once: more than there are connections", async () => {
    await using team = await Team.start();
    const task = (_: unknown, i: number) =>
      `  - { id: t${i}, title: T, skill: says, params: { text: "${i}" } }\n`;
    const plan = `version: 1\nplan: p\ntitle: P\ntasks:\n${Array.from({ length: 30 }, task).join("")}`;
    const asking = team.trusting({ "repo/plan.yaml": plan });
    const run = await asking.knack(["plan", "run", "plan.yaml", "--queue", "--no-wait", "--json"]);
    expect(run.stderr).toBe("");
    expect(run.code).toBe(0);
    expect((await asking.queue()).waiting).toHaveLength(30);
  });

  it("counts one failure for a task whose run died after three tries", async () => {
    await using team = await Team.start();
    const plan = `version: 1\nplan: p\ntitle: P\ntasks:\n  - { id: t, title: T, skill: fails }\n`;
    const asking = team.trusting({ "repo/plan.yaml": plan });
    await using worker = await asking.worker();
    const run = await asking.knack(["plan", "run", "plan.yaml", "--queue", "--json"]);
    expect(run.code).toBe(1);
    expect(run.json().tasks).toMatchObject([{ id: "t", status: "FAILED", error: { code: "E_NO" } }]);
    await expect.poll(() => worker.lines.filter(({ event }) => event === "end")).toHaveLength(3);
    await using db = await team.db();
    expect(await db.get("SELECT failures FROM task_nodes")).toEqual({ failures: 1 });
  });

  it("queues what is READY with --no-wait, and follows the same runs later", async () => {
    await using team = await Team.start();
    const asking = team.trusting({ "repo/plan.yaml": PLAN });
    const queued = await asking.knack(["plan", "run", "plan.yaml", "--queue", "--no-wait", "--json"]);
    expect(queued.code).toBe(0);
    expect((await asking.queue()).waiting.map(({ task }) => task).sort()).toEqual([
      "hello/first",
      "hello/second",
      "hello/third",
    ]);
    await using _worker = await asking.worker();
    const run = await asking.knack(["plan", "run", "plan.yaml", "--queue", "--json"]);
    expect(run.json().tasks.every(({ status }: { status: string }) => status === "DONE")).toBe(true);
    await using db = await team.db();
    expect(await db.get("SELECT COUNT(*) AS count FROM queued_runs")).toEqual({ count: 4 });
  });

  it("gives what one worker made to the task of another, and to the machine that asks", async () => {
    await using team = await Team.start();
    const plan = `version: 1
plan: report
tasks:
  - { id: extract, skill: text_extract, inputs: [{ file: a.txt }] }
  - { id: again, skill: file_fingerprint, depends_on: [extract], inputs: [{ task: extract, artifact: extracted_text }] }
`;
    const asking = team.machine({ "repo/plan.yaml": plan });
    asking.trust();
    {
      await using _first = await team.machine().worker();
      await asking.knack(["plan", "run", "plan.yaml", "--queue", "--no-wait"]);
      await expect.poll(async () => (await asking.queue()).counts).toMatchObject({ waiting: 0, running: 0 });
    }
    await using _second = await team.machine().worker();
    const run = await asking.knack(["plan", "run", "plan.yaml", "--queue", "--json"]);
    expect(run.stderr).toBe("");
    expect(run.json().tasks).toMatchObject([
      { id: "extract", status: "DONE", cached: true },
      { id: "again", status: "DONE", cached: false },
    ]);
  });
});
