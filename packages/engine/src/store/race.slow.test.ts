import { readFileSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { sharedServer } from "./testing/postgres/shared-server.ts";
import { processesAtOnce } from "./testing/processes.ts";
import type { StoreName } from "./testing/wrong-stores.ts";
import { zombieOutcome } from "./testing/zombie.ts";

describe.each([
  ["SQLite", 16, 500],
  ["PostgreSQL", 8, 200],
])("one holder per key, on %s", (database, most, all) => {
  const placeIn = async (folder: string): Promise<string> =>
    database === "SQLite" ? `${folder}/state.db` : (await sharedServer("18")).url();

  /** How often the keys were executed when this many processes want all of them at once. */
  async function executions(store: StoreName, processes: number, keys: number): Promise<number[]> {
    using folder = makeFolder({ "keys/": "" });
    const args = [await placeIn(folder.path), store, String(keys), folder.at("keys")];
    const ended = await processesAtOnce("race-child.ts", processes, args);
    expect(ended.map(({ code }) => code)).toEqual(Array(processes).fill(0));
    return Array.from({ length: keys }, (_, key) => readFileSync(folder.at("keys", String(key))).length);
  }

  it(`${most} processes and ${all} keys are ${all} executions`, async () => {
    expect(await executions("right", most, all)).toEqual(Array(all).fill(1));
  }, 300_000);

  it("would find a store that looks first and inserts then", async () => {
    expect(Math.max(...(await executions("select-then-insert", 8, all / 2)))).toBeGreaterThan(1);
  });

  it("a process that was stopped past its lease cannot write", async () => {
    using folder = makeFolder();
    const expected = { zombie: "lost", succeeded: 1, artifacts: ["other"] };
    expect(await zombieOutcome("right", await placeIn(folder.path))).toEqual(expected);
  });

  it("would find a store that lets it", async () => {
    using folder = makeFolder();
    const { zombie, succeeded } = await zombieOutcome("no-fence", await placeIn(folder.path));
    expect({ zombie, succeeded }).toEqual({ zombie: "recorded", succeeded: 2 });
  });
});
