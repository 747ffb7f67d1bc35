import { expect, it } from "vitest";
import { code, makeEngineScene } from "./testing/engine-scene.ts";

it("a run whose lease went by answers with what the next holder made", async () => {
  const slow = "await new Promise((r) => setTimeout(r, 2500));";
  await using scene = makeEngineScene({ "impl/x.mjs": code("Math.random()", slow) });
  const [first, second] = [await scene.open({ env: { KNACK_RUN_LEASE_SECONDS: "1" } }), await scene.open()];
  const store = await first.store();
  const running = first.run("x", { inputs: [{ path: "a.txt" }] });
  await expect.poll(async () => (await store.db.all("SELECT 1 FROM skill_runs")).length).toBe(1);
  // As if the process had stood still: on one machine the end of a lease is in `holder`, by a clock that nobody sets.
  await store.db.run("UPDATE skill_runs SET lease_until = '2000-01-01T00:00:00.000Z', holder = ''");
  const other = await second.run("x", { inputs: [{ path: "a.txt" }] });
  const late = await running;
  expect(other).toMatchObject({ cached: false, run: { status: "SUCCEEDED" } });
  expect(late).toMatchObject({ cached: true, run: { id: other.run.id } });
});
