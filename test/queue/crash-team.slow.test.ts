import { describe, expect, it } from "vitest";
import { fixedSeed } from "../../packages/core/src/shared/testing/cases.ts";
import { TestServer } from "../../packages/engine/src/store/testing/postgres/server.ts";
import { crashTeam } from "./crash-team.ts";
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
      maxMs: 120_000,
    });
    expect({ seed, problems: report.problems, restarts: report.restarts }).toEqual({
      seed,
      problems: [],
      restarts: 2,
    });
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
    expect(worker.lines.map(({ event }) => event)).toEqual(["ready", "away", "back", "start", "end"]);
  });
});
