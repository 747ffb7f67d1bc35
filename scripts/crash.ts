import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { makeFolder } from "../packages/core/src/testing/index.ts";
import {
  type CrashReport,
  randomFrom,
  crashCycles as storeCycles,
} from "../packages/engine/src/store/testing/crash-cycles.ts";
import { crashCycles as runCycles } from "../test/engine/crash/crash-cycles.ts";

/**
 * crash.ts store|run [cycles] [seed]: kills a process that records runs, or one that runs skills, 5,000 times by default, in a
 * process for each core. Build first: the killed process uses the built package. After each kill nothing reported may be lost,
 * no key stuck, no lease, file or process left, and log and tables must agree. Stops at the first problem.
 */
const KINDS: Readonly<Record<string, (kills: number, seed: number) => Promise<CrashReport>>> = {
  store: async (kills, seed) => {
    using folder = makeFolder();
    return storeCycles((number) => folder.at(`${number}.db`), "right", kills, seed);
  },
  run: (kills, seed) => runCycles(kills, randomFrom(seed), 150),
};
const PART = 25;

const [kind = "", cycles = "5000", first = String(Date.now() % 1_000_000), isLane] = process.argv.slice(2);
const crash = KINDS[kind];
if (!crash) throw new Error("crash.ts store|run [cycles] [seed]");
if (isLane) await lane(crash, Number(cycles), Number(first));
else await all(Number(cycles), Number(first), Math.max(1, availableParallelism()));

async function lane(cycle: NonNullable<typeof crash>, count: number, seed: number): Promise<void> {
  for (let done = 0; done < count; done += PART)
    console.log(JSON.stringify(await cycle(Math.min(PART, count - done), seed + done)));
}

async function all(count: number, seed: number, lanes: number): Promise<void> {
  const problems: string[] = [];
  let acknowledged = 0;
  const stop = new AbortController();
  const inLane = async (_: unknown, at: number): Promise<void> => {
    const own = Math.floor(count / lanes) + (at < count % lanes ? 1 : 0);
    const args = [import.meta.filename, kind, String(own), String(seed + at * 1_000_003), "lane"];
    const stdio = ["ignore", "pipe", "inherit"] as const;
    const child = spawn(process.execPath, [...process.execArgv, ...args], { stdio: [...stdio] });
    stop.signal.addEventListener("abort", () => child.kill("SIGTERM"));
    const closed = once(child, "close");
    for await (const line of createInterface({ input: child.stdout })) {
      const report = JSON.parse(line) as CrashReport;
      acknowledged += report.acknowledged;
      problems.push(...report.problems);
      console.log(`${acknowledged} runs reported, ${problems.length} problems`);
      if (problems.length > 0) stop.abort();
    }
    const [code, signal] = await closed;
    if (code !== 0 && !stop.signal.aborted) problems.push(`lane ${at} ended with ${code ?? signal}`);
  };
  await Promise.all(Array.from({ length: lanes }, inLane));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  console.log(`seed ${seed}: ${count} kills, ${acknowledged} runs reported: none lost, all records hold`);
}
