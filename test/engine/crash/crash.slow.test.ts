import { describe, expect, it } from "vitest";
import { fixedSeed } from "../../../packages/core/src/shared/testing/cases.ts";
import { randomFrom } from "../../../packages/engine/src/store/testing/crash-cycles.ts";
import { crashCycles } from "./crash-cycles.ts";

const MINUTES = 60_000;

/** `node scripts/crash.ts run` runs 5,000 cycles. */
describe("durable success: SIGKILL of a process that runs skills, at random moments", () => {
  it(
    "loses no run that was reported, leaves no key stuck and no file behind, and the log holds",
    async () => {
      const seed = fixedSeed();
      const { acknowledged, problems } = await crashCycles(10, randomFrom(seed));
      expect(problems, `seed ${seed}`).toEqual([]);
      expect(acknowledged).toBeGreaterThan(0);
      console.log(`seed ${seed}: 10 kills, ${acknowledged} runs reported, none lost`);
    },
    5 * MINUTES,
  );
});
