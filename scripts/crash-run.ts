import { randomFrom } from "../packages/engine/src/store/testing/crash-cycles.ts";
import { crashCycles } from "../test/engine/crash/crash-cycles.ts";

/** crash-run.ts [cycles] [seed]: kills a process that runs skills, 200 times unless told otherwise. */
const PART = 25;

const [cycles = "200", firstSeed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
let acknowledged = 0;
for (let done = 0; done < Number(cycles); done += PART) {
  const seed = Number(firstSeed) + done;
  const report = await crashCycles(Math.min(PART, Number(cycles) - done), randomFrom(seed));
  acknowledged += report.acknowledged;
  for (const problem of report.problems) console.error(`seed ${seed}: ${problem}`);
  if (report.problems.length > 0) process.exit(1);
  const kills = Math.min(done + PART, Number(cycles));
  console.log(`${kills} kills (seed ${seed}), ${acknowledged} runs reported, none lost, nothing left`);
}
