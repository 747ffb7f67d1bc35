import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { randomFrom } from "../packages/engine/src/store/testing/crash-cycles.ts";
import { crashCycles } from "../test/engine/crash/crash-cycles.ts";
import { inLanes, type LaneReport } from "./in-lanes.ts";

/**
 * crash-run.ts [cycles] [seed]: kills a process that runs skills, 5,000 times by default. Build first. After each kill nothing reported may be lost, no key stuck, no lease, file or process left, and log and
 * tables must agree.
 */
const PART = 25;
const MAX_DELAY_MS = 150;

if (process.argv[2] === "--lane") await lane(Number(process.argv[3]), Number(process.argv[4]));
else await all();

async function lane(cycles: number, firstSeed: number): Promise<void> {
  for (let done = 0; done < cycles; done += PART) {
    const seed = firstSeed + done;
    const kills = Math.min(PART, cycles - done);
    const report = await crashCycles(kills, randomFrom(seed), MAX_DELAY_MS);
    console.log(JSON.stringify({ ...report, kills, seed } satisfies LaneReport));
  }
}

async function all(): Promise<void> {
  const [cycles = "5000", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
  const built = join(import.meta.dirname, "..", "packages", "engine", "dist", "index.js");
  if (!existsSync(built)) throw new Error("Build first: npm run build");
  const lanes = Math.max(1, availableParallelism());
  const { kills, acknowledged, problems } = await inLanes(
    import.meta.filename,
    Number(cycles),
    Number(seed),
    lanes,
    console.log,
  );
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  console.log(
    `seed ${seed}: ${kills} kills, ${acknowledged} runs reported: none lost, no lease, file or process left, all records hold`,
  );
}
