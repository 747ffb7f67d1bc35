import { describe, expect, it } from "vitest";
import { randomFrom } from "../../../packages/engine/src/store/testing/crash-cycles.ts";
import { crashCycles } from "./crash-cycles.ts";

const MINUTES = 60_000;

/** `node scripts/crash-run.ts 5000` runs more cycles. */
describe("durable success: SIGKILL of a process that runs skills, at random moments", () => {
  it(
    "loses no run that was reported, leaves no key stuck and no file behind, and the log holds",
    async () => {
      const seed = Date.now() % 1_000_000;
      const { acknowledged, problems } = await crashCycles(10, randomFrom(seed));
      expect(problems, `seed ${seed}`).toEqual([]);
      console.log(`seed ${seed}: 10 kills, ${acknowledged} runs reported, none lost`);
    },
    5 * MINUTES,
  );
});
