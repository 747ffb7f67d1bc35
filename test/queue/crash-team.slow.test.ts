import { describe, expect, it } from "vitest";
import { fixedSeed } from "../../packages/core/src/shared/testing/cases.ts";
import { TestServer } from "../../packages/engine/src/store/testing/postgres/server.ts";
import { crashTeam, problemsOf } from "./crash-team.ts";
import { Team } from "./team.ts";

describe("a team under kills and restarts", () => {
  it("records each of 300 runs exactly once while workers are killed and the database restarts twice", async () => {
    await using server = await TestServer.start("18");
    await using team = new Team(server);
    const seed = fixedSeed();
    const report = await crashTeam(team, server, {
      runs: 300,
      workers: 4,
      restarts: 2,
      seed,
      maxMs: 500_000,
    });
    expect({ seed, problems: report.problems, restarts: report.restarts }).toEqual({
      seed,
      problems: [],
      restarts: 2,
    });
  }, 600_000);

  it("works a plan of 60 READY tasks through while the database is killed: none lost, none twice, asked once", async () => {
    await using server = await TestServer.start("18");
    await using team = new Team(server);
    const numbers = Array.from({ length: 60 }, (_, at) => at);
    const tasks = numbers.map(
      (at) => `  - { id: t${at}, skill: file_fingerprint, inputs: [{ file: ${at}.txt }] }\n`,
    );
    const files = Object.fromEntries(numbers.map((at) => [`repo/${at}.txt`, `${at}\n`]));
    const asking = team.machine({ ...files, "repo/plan.yaml": `version: 1\ntasks:\n${tasks.join("")}` });
    await using first = await team.machine().worker(["--concurrency", "2"]);
    await using second = await team.machine().worker(["--concurrency", "2"]);
    const running = asking.knack(["plan", "run", "plan.yaml", "--queue", "--json"]);
    const ended = (): number =>
      [first, second].flatMap(({ lines }) => lines.filter(({ event }) => event === "end")).length;
    await expect.poll(ended, { timeout: 120_000 }).toBeGreaterThan(5);
    await server.restart("crash");
    expect(ended()).toBeLessThan(60);
    const { code, json, stderr } = await running;
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("error")]);
    expect(json().tasks.map(({ status }: { status: string }) => status)).toEqual(Array(60).fill("DONE"));
    await using db = await team.db();
    expect(await problemsOf(db, 60)).toEqual([]);
  });

  it("says once that the database is away and once that it is back, and goes on", async () => {
    await using server = await TestServer.start("18");
    await using team = new Team(server);
    const machine = team.machine();
    await using worker = await machine.worker();
    await server.restart("crash");
    await worker.until(({ event }) => event === "back");
    const run = await machine.knack(["run", "file_fingerprint", "a.txt", "--queue", "--json"]);
    expect(run.json()).toMatchObject({ status: "SUCCEEDED" });
    // Whoever waits for the run may know of its end before the worker has said so.
    await worker.until(({ event }) => event === "end");
    expect(worker.lines.map(({ event }) => event)).toEqual(["ready", "away", "back", "start", "end"]);
  });
});
