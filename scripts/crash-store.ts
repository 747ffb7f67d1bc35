import { makeFolder } from "../packages/core/src/testing/index.ts";
import { crashCycles } from "../packages/engine/src/store/testing/crash-cycles.ts";

/** crash-store.ts [cycles] [seed]: kills a process that records runs, 5,000 times unless told otherwise. */
const PART = 100;

const [cycles = "5000", firstSeed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
let acknowledged = 0;
for (let done = 0; done < Number(cycles); done += PART) {
  using folder = makeFolder();
  const seed = Number(firstSeed) + done;
  const report = await crashCycles(folder.path, "right", Math.min(PART, Number(cycles) - done), seed);
  acknowledged += report.acknowledged;
  for (const problem of report.problems) console.error(`seed ${seed}: ${problem}`);
  if (report.problems.length > 0) process.exit(1);
  console.log(`${done + PART} kills (seed ${seed}), ${acknowledged} runs reported, none lost`);
}
