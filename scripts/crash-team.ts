import { TestServer } from "../packages/engine/src/store/testing/postgres/server.ts";
import { crashTeam } from "../test/queue/crash-team.ts";
import { Team } from "../test/queue/team.ts";

/**
 * crash-team.ts [runs] [restarts] [seed]: 10,000 queued runs and 5 restarts of the database by default, 4 workers, of which one
 * is killed every second and replaced. Build first. Every run must be recorded exactly once, and the log must hold.
 */
const [runs = "10000", restarts = "5", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);

const server = await TestServer.start("18");
const team = new Team(server);
try {
  const report = await crashTeam(team, server, {
    runs: Number(runs),
    workers: 4,
    restarts: Number(restarts),
    seed: Number(seed),
    maxMs: 3_600_000,
    tell: console.log,
  });
  for (const problem of report.problems) console.error(problem);
  if (report.problems.length > 0) process.exitCode = 1;
  else
    console.log(
      `seed ${seed}: ${runs} runs, ${report.kills} kills, ${report.restarts} restarts, ${report.seconds.toFixed(0)} s: each recorded once, none lost, the log holds`,
    );
} finally {
  await team[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
}
