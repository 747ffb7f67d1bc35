import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { fixedSeed } from "../../../core/src/shared/testing/cases.ts";
import { crashCycles } from "./testing/crash-cycles.ts";
import type { StoreName } from "./testing/wrong-stores.ts";

const MINUTES = 60_000;

/** `node scripts/crash.ts store` runs 5,000 cycles. */
describe("durable success: SIGKILL at random moments", () => {
  it(
    "loses no run that was reported, leaves none half or stuck, and the log holds",
    async () => {
      const seed = fixedSeed();
      using folder = makeFolder();
      const { acknowledged, problems } = await crashCycles(folder.path, "right", 200, seed);
      expect(problems, `seed ${seed}`).toEqual([]);
      expect(acknowledged).toBeGreaterThanOrEqual(200);
      console.log(`seed ${seed}: 200 kills, ${acknowledged} runs reported, none lost`);
    },
    10 * MINUTES,
  );

  it.each<[StoreName, RegExp]>([
    ["acknowledge-early", /was reported and is lost/],
    ["event-apart", /has no event|no record lists it/],
  ])("would find a store that is wrong: %s", async (name, problem) => {
    using folder = makeFolder();
    const { problems } = await crashCycles(folder.path, name, 8, 1);
    expect(problems.join("\n")).toMatch(problem);
  });
});
