import type { KnackError } from "@knack/core/text";
import { describe, expect, it } from "vitest";
import type { Engine } from "../open-engine.ts";
import { code, makeEngineScene } from "../testing/engine-scene.ts";
import { lineageOf } from "./lineage.ts";

const LOGS = code('"made"', "c.log('begun'); await new Promise((done) => setTimeout(done, 500));");

async function codeOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => "SUCCEEDED",
    (error: KnackError) => `${error.code}: ${error.message}`,
  );
}

const ask = (engine: Engine, path: string, onLog?: () => void) =>
  engine.run("x", { inputs: [{ path }], onLog });

describe("a run that is asked for from within another", () => {
  it("is refused at once where it has the same key, and runs where it has another", async () => {
    await using scene = makeEngineScene({ "impl/x.mjs": LOGS });
    const engine = await scene.open();
    const inner: Promise<string>[] = [];
    const began = performance.now();
    let refusedAfter = 0;
    await ask(engine, "a.txt", () => {
      const same = codeOf(ask(engine, "a.txt")).finally(() => {
        refusedAfter = performance.now() - began;
      });
      inner.push(same, codeOf(ask(engine, "b.txt")));
    });
    const ended = performance.now() - began;
    expect(await Promise.all(inner)).toEqual([
      "CONFLICT: x would wait for itself: the run that called it has the same inputs and parameters (x → x). Remove that call, or change its inputs.",
      "SUCCEEDED",
    ]);
    expect(refusedAfter).toBeLessThan(ended);
  });

  it("is found across other runs in between", async () => {
    await using scene = makeEngineScene({ "impl/x.mjs": LOGS });
    const engine = await scene.open();
    let innermost = "";
    let between: Promise<unknown> = Promise.resolve();
    await ask(engine, "a.txt", () => {
      between = ask(engine, "b.txt", () => {
        void codeOf(ask(engine, "a.txt")).then((told) => {
          innermost = told;
        });
      });
    });
    await between;
    expect(innermost).toMatch(/^CONFLICT: .*\(x → x → x\)/);
  });

  it("is not what two who ask at the same time are: they share one run", async () => {
    await using scene = makeEngineScene({ "impl/x.mjs": LOGS });
    const [one, other] = [await scene.open(), await scene.open()];
    const runs = await Promise.all([ask(one, "a.txt"), ask(other, "a.txt"), ask(one, "a.txt")]);
    expect(new Set(runs.map(({ run }) => run.id)).size).toBe(1);
  });

  it("is known by the environment of its process; what is no list of runs there counts as none", async () => {
    await using scene = makeEngineScene();
    const { key } = await (await scene.open()).prepare("x", { inputs: [{ path: "a.txt" }] });
    const inside = await scene.open({ env: { KNACK_RUN_LINEAGE: `y@${"0".repeat(64)},x@${key}` } });
    expect(await codeOf(ask(inside, "a.txt"))).toMatch(/^CONFLICT: x would wait for itself/);
    expect(await codeOf(ask(inside, "b.txt"))).toBe("SUCCEEDED");
    for (const forged of ["", ",,,", "x", `x@${key}0`, `@${key}`, "x".repeat(100_000)])
      expect(lineageOf({ KNACK_RUN_LINEAGE: forged })).toEqual([]);
  });
});
