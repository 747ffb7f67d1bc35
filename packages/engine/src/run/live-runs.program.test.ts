import { describe, expect, it } from "vitest";
import { code, makeEngineScene } from "../testing/engine-scene.ts";
import { followStart } from "./live-runs.ts";

const TALKS = code(
  '"made"',
  "for (let i = 0; i < 400; i++) { c.log('line ' + i); await new Promise((done) => setTimeout(done, 20)); }",
);

describe("a run in progress", () => {
  it("is reported when it starts, can be read while it prints, and cancelled", async () => {
    await using scene = makeEngineScene({ "impl/x.mjs": TALKS });
    const engine = await scene.open();
    const started = Promise.withResolvers<string>();
    let changes = 0;
    const stop = engine.live.follow(() => changes++);
    const finished = followStart(
      ({ id }) => started.resolve(id),
      () => engine.run("x", { inputs: [{ path: "a.txt" }] }),
    );
    const id = await started.promise;
    const live = engine.live.get(id);
    await expect.poll(() => live?.log()).toContain("line 2\n");
    live?.cancel();
    const { run } = await finished;
    expect(run).toMatchObject({ id, status: "FAILED", error: { code: "SKILL_INTERRUPTED" } });
    expect(run.logTail).toContain("line 2");
    expect([engine.live.all, changes > 2]).toEqual([[], true]);
    stop();
    expect((await engine.verify()).ok).toBe(true);
  });

  it("that is served from an earlier one starts nothing", async () => {
    await using scene = makeEngineScene();
    const engine = await scene.open();
    const ids: string[] = [];
    const run = () =>
      followStart(
        ({ id }) => ids.push(id),
        () => engine.run("x", { inputs: [{ path: "a.txt" }] }),
      );
    expect((await run()).cached).toBe(false);
    expect((await run()).cached).toBe(true);
    expect(ids).toHaveLength(1);
  });
});
