/**
 * The queue with real workers, each a process of the built program:
 *
 *   npm run bench:queue -- [--runs 60] [--latency 41] [--wait 100]
 *
 * How soon a queued run starts on an idle system, how many built-in runs one worker does per second, and how much four workers
 * do against one of a skill that waits 100 ms (`--wait`), with one run at a time each.
 */
import { writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openEngine } from "../../packages/engine/src/open-engine.ts";
import { TestServer } from "../../packages/engine/src/store/testing/postgres/server.ts";
import { queueGroups } from "../../test/queue/queue-groups.ts";
import { type Machine, Team, teamSkills, type WorkerProcess } from "../../test/queue/team.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "60" },
    latency: { type: "string", default: "41" },
    wait: { type: "string", default: "100" },
  },
});
const WAIT_MS = Number(values.wait);
const server = await TestServer.start("18", ["max_connections=300"]);
const team = new Team(server);
try {
  const machine = team.machine({ ...teamSkills(), "cache/": "" });
  machine.trust();
  await latency(machine, Number(values.latency));
  await builtin(machine, 10 * Number(values.runs));
  const one = await waiting(machine, 1, Number(values.runs));
  const four = await waiting(machine, 4, Number(values.runs) * 3);
  console.log(`4 workers against 1: ${(four / one).toFixed(2)}`);
} finally {
  await team[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
}

async function latency(machine: Machine, count: number): Promise<void> {
  await using worker = await machine.worker();
  const engine = await openEngine({ projectRoot: machine.folder.at("repo"), registry: [], store: team.url });
  const took: number[] = [];
  for (let n = 0; n < count; n++) {
    const path = file(machine, `latency ${n}`, n);
    const queued = await engine.enqueue("file_fingerprint", { inputs: [{ path }] });
    const at = performance.now();
    const start = await worker.until(({ event, id }) => event === "start" && id === queued.queued?.id);
    took.push(start.at - at);
    await (await engine.queue()).follow(queued, new AbortController().signal);
  }
  await engine.close();
  took.sort((a, b) => a - b);
  const at = (share: number): string => (took[Math.floor(share * (took.length - 1))] ?? 0).toFixed(1);
  console.log(`queued to started, idle: median ${at(0.5)} ms, 90 % ${at(0.9)} ms, slowest ${at(1)} ms`);
}

async function builtin(machine: Machine, count: number): Promise<void> {
  const engine = await openEngine({ projectRoot: machine.folder.at("repo"), registry: [], store: team.url });
  const began = performance.now();
  let next = 0;
  const some = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++)
      await engine.enqueue("file_fingerprint", { inputs: [{ path: file(machine, `builtin ${n}`, n) }] });
  };
  await Promise.all(Array.from({ length: 6 }, some));
  console.log(`queued per second, six at once: ${((1000 * count) / (performance.now() - began)).toFixed(0)}`);
  await engine.close();
  await using worker = await machine.worker(["--concurrency", "8"]);
  console.log(`built-in runs per second, one worker: ${(await perSecond([worker], count)).toFixed(0)}`);
}

async function waiting(machine: Machine, workers: number, count: number): Promise<number> {
  await queueGroups(team, machine, [{ plan: `waits on ${workers}`, count, ms: WAIT_MS }]);
  const processes = await Promise.all(
    Array.from({ length: workers }, () => machine.worker(["--concurrency", "1", "--skills", "says"])),
  );
  const rate = await perSecond(processes, count);
  for (const worker of processes) await worker[Symbol.asyncDispose]();
  console.log(`runs per second that wait ${WAIT_MS} ms, ${workers} workers: ${rate.toFixed(1)}`);
  return rate;
}

/** From the first end to the last. */
async function perSecond(workers: readonly WorkerProcess[], count: number): Promise<number> {
  const ends = (): number[] =>
    workers.flatMap(({ lines }) => lines.filter(({ event }) => event === "end").map(({ at }) => at));
  while (ends().length < count) await wait(20);
  const all = ends().sort((a, b) => a - b);
  return (1000 * (all.length - 1)) / ((all.at(-1) ?? 0) - (all[0] ?? 0));
}

function file(machine: Machine, text: string, n: number): string {
  const path = machine.folder.at(`repo/${n}.txt`);
  writeFileSync(path, text);
  return path;
}
