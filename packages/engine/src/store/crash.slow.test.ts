import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { fixedSeed } from "../../../core/src/shared/testing/cases.ts";
import { crashCycles } from "./testing/crash-cycles.ts";
import { sharedServer } from "./testing/postgres/shared-server.ts";
import type { StoreName } from "./testing/wrong-stores.ts";

const MINUTES = 60_000;

/** Where the n-th database is. */
async function places(database: string, folder: string): Promise<(number: number) => string> {
  if (database === "SQLite") return (number) => `${folder}/${number}.db`;
  const server = await sharedServer("18");
  const urls: string[] = [];
  return (number) => (urls[number] ??= server.url());
}

/** `node scripts/crash.ts store` runs 5,000 cycles. */
describe.each([
  ["SQLite", 75],
  ["PostgreSQL", 20],
])("durable success on %s: SIGKILL at random moments", (database, cycles) => {
  it(
    "loses no run that was reported, leaves none half or stuck, and the log holds",
    async () => {
      const seed = fixedSeed();
      using folder = makeFolder();
      const place = await places(database, folder.path);
      const { acknowledged, problems } = await crashCycles(place, "right", cycles, seed);
      expect(problems, `seed ${seed}`).toEqual([]);
      expect(acknowledged).toBeGreaterThanOrEqual(cycles);
      console.log(`seed ${seed}: ${cycles} kills, ${acknowledged} runs reported, none lost`);
    },
    10 * MINUTES,
  );

  it.each<[StoreName, RegExp]>([
    ["acknowledge-early", /was reported and is lost/],
    ["event-apart", /has no event|no record lists it/],
  ])("would find a store that is wrong: %s", async (name, problem) => {
    using folder = makeFolder();
    const { problems } = await crashCycles(await places(database, folder.path), name, 8, 1);
    expect(problems.join("\n")).toMatch(problem);
  });
});
