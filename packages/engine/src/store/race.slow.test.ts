import { readFileSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { processesAtOnce } from "./testing/processes.ts";
import type { StoreName } from "./testing/wrong-stores.ts";
import { zombieOutcome } from "./testing/zombie.ts";

/** How often the keys were executed when this many processes want all of them at once. */
async function executions(store: StoreName, processes: number, keys: number): Promise<number[]> {
  using folder = makeFolder({ "keys/": "" });
  const args = [folder.at("state.db"), store, String(keys), folder.at("keys")];
  const ended = await processesAtOnce("race-child.ts", processes, args);
  expect(ended.map(({ code }) => code)).toEqual(Array(processes).fill(0));
  return Array.from({ length: keys }, (_, key) => readFileSync(folder.at("keys", String(key))).length);
}

describe("one holder per key", () => {
  it("16 processes and 500 keys are 500 executions", async () => {
    expect(await executions("right", 16, 500)).toEqual(Array(500).fill(1));
  }, 300_000);

  it("would find a store that looks first and inserts then", async () => {
    const counts = await executions("select-then-insert", 8, 200);
    expect(Math.max(...counts)).toBeGreaterThan(1);
  }, 120_000);

  it("a process that was stopped past its lease cannot write", async () => {
    expect(await zombieOutcome("right")).toEqual({ zombie: "lost", succeeded: 1, artifacts: ["other"] });
  });

  it("would find a store that lets it", async () => {
    const { zombie, succeeded } = await zombieOutcome("no-fence");
    expect({ zombie, succeeded }).toEqual({ zombie: "recorded", succeeded: 2 });
  });
});
