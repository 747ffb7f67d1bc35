import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { KnackError } from "../../../packages/core/src/shared/errors.ts";
import { listEvents } from "../../../packages/engine/src/audit/events.ts";
import { type PlanStep, type RunForTask, runPlan } from "../../../packages/engine/src/plan/run-plan.ts";
import type { SkillRun } from "../../../packages/engine/src/store/runs/runs.ts";
import { makePlanScene, type PlanScene, planOf } from "./plan-scene.ts";

const HASH = (id: string, more = "") =>
  `{ id: ${id}, skill: file_fingerprint, inputs: [{ file: ${id}.txt }]${more} }`;
const CHAIN = planOf(
  "{ id: extract, skill: text_extract, inputs: [{ file: in.md }] }",
  "{ id: render, skill: template_render, depends_on: [extract], inputs: [{ role: template, file: t.liquid }], params: { name: Ada } }",
  "{ id: compare, skill: diff_artifact, depends_on: [extract, render], inputs: [{ role: left, task: extract, artifact: extracted_text }, { role: right, task: render, artifact: rendered }] }",
  "{ id: end, depends_on: [compare] }",
);
const FILES = { "in.md": "# Hello\n", "t.liquid": "Hello {{ name }}\n" };

/** The outcome of each task: its state, and whether it came from an earlier run. */
const outcomes = async (scene: PlanScene): Promise<string[]> =>
  (await scene.run()).tasks.map(({ id, status, cached }) => `${id} ${status}${cached ? " cached" : ""}`);
const ALL_CACHED = ["extract DONE cached", "render DONE cached", "compare DONE cached", "end DONE"];
const runCount = async (scene: PlanScene): Promise<number> =>
  (await scene.engine.runs({ limit: 1000 })).length;

describe("running a plan", () => {
  it("executes what is READY until nothing is left, artifacts going from task to task", async () => {
    await using scene = await makePlanScene(CHAIN, FILES);
    const { tasks } = await scene.run();
    expect(tasks.map(({ id, status, cached }) => [id, status, cached])).toEqual([
      ["extract", "DONE", false],
      ["render", "DONE", false],
      ["compare", "DONE", false],
      ["end", "DONE", undefined],
    ]);
    const run = await scene.engine.findRun(tasks[2]?.run ?? "");
    expect(run?.inputs.map(({ role, path }) => [role, path.split("/").slice(0, 3).join("/")])).toEqual([
      ["left", "workspace/artifacts/extract"],
      ["right", "workspace/artifacts/render"],
    ]);
    expect(run).toMatchObject({ planId: "p", taskId: "compare" });
  });

  it("finds the files beside a plan that is not in the project's root, and artifacts all the same", async () => {
    await using scene = await makePlanScene("", {
      "plans/deep/plan.yaml": CHAIN,
      "plans/deep/in.md": "x",
      "plans/deep/t.liquid": "y",
    });
    const { tasks } = await scene.engine.runPlan("plans/deep/plan.yaml");
    expect(tasks.map(({ status, error }) => error ?? status)).toEqual(["DONE", "DONE", "DONE", "DONE"]);
  });

  it("asks tasks that are DONE again: unchanged they come from the cache and nothing runs", async () => {
    await using scene = await makePlanScene(CHAIN, FILES);
    await scene.run();
    const types = async () => (await scene.events()).filter((type) => type !== "SKILL_RUN").toSorted();
    const before = await types();
    expect(await outcomes(scene)).toEqual(ALL_CACHED);
    expect(await runCount(scene)).toBe(3);
    expect(await types()).toEqual(before);
  });

  it("runs a task with a changed input or parameter, and what depends on it, anew", async () => {
    await using scene = await makePlanScene(CHAIN, FILES);
    await scene.run();
    scene.folder.write({ "in.md": "# Other\n" });
    expect(await outcomes(scene)).toEqual(["extract DONE", "render DONE cached", "compare DONE", "end DONE"]);
    scene.folder.write({ "in.md": "# Hello\n" });
    expect(await outcomes(scene)).toEqual(ALL_CACHED);
    scene.folder.write({ "plan.yaml": CHAIN.replace("Ada", "Grace") });
    expect(await outcomes(scene)).toEqual(["extract DONE cached", "render DONE", "compare DONE", "end DONE"]);
  });

  it("reaches its limit of tasks at once and never passes it", async () => {
    for (const parallel of [1, 3, 50]) {
      await using scene = await makePlanScene(planOf(...Array.from({ length: 12 }, (_, i) => HASH(`t${i}`))));
      const plan = await scene.engine.readPlan("plan.yaml");
      await scene.apply();
      const limit = Math.min(parallel, 12);
      let now = 0;
      let most = 0;
      const run: RunForTask = async (_skill, _request, binding) => {
        most = Math.max(most, ++now);
        // Each goes on when as many as may have begun at once.
        while (most < limit) await wait(5);
        await wait(5);
        now--;
        const made = { id: "r", skill: "s" } as SkillRun;
        const alongside = binding.alongside(made, { succeeded: true, evidences: [], artifacts: [] });
        await (await scene.engine.store()).db.transaction(async (tx) => void (await alongside?.(tx)));
        return {
          run: { error: null } as never,
          cached: false,
          inputs: [],
          task: { planId: null, taskId: null },
        };
      };
      const signal = new AbortController().signal;
      const status = await runPlan(await scene.engine.store(), plan, run, {
        projectRoot: scene.folder.path,
        parallel,
        signal,
      });
      expect(status.tasks.every((task) => task.status === "DONE")).toBe(true);
      expect(most).toBe(limit);
    }
  });
});

describe("a task that fails", () => {
  const FAILING = planOf(
    "{ id: a, skill: template_render, inputs: [{ role: template, file: t.liquid }] }",
    "{ id: b, depends_on: [a] }",
    "{ id: c }",
  );

  it("keeps what depends on it PENDING and does not keep the others from running", async () => {
    await using scene = await makePlanScene(FAILING, { "t.liquid": "{{ nobody }}" });
    const status = await scene.run();
    expect(scene.standings(status)).toEqual(["a: FAILED", "b: PENDING", "c: DONE"]);
    expect(status.tasks[0]).toMatchObject({ error: { message: expect.stringContaining("nobody") } });
  });

  it("is tried again at the next run and waits after the third failure, until the plan is edited", async () => {
    await using scene = await makePlanScene(FAILING, { "t.liquid": "{{ nobody }}" });
    expect(scene.standings(await scene.run())[0]).toBe("a: FAILED");
    expect(scene.standings(await scene.run())[0]).toBe("a: FAILED");
    expect(scene.standings(await scene.run())[0]).toBe("a: BLOCKED WAITING_EXTERNAL");
    expect(await runCount(scene)).toBe(3);
    scene.folder.write({ "t.liquid": "fine now" });
    expect(scene.standings(await scene.run())[0]).toBe("a: BLOCKED WAITING_EXTERNAL");
    expect(await runCount(scene)).toBe(3);
    scene.folder.write({ "plan.yaml": `# The template is mended.\n${FAILING}` });
    expect(scene.standings(await scene.run())).toEqual(["a: DONE", "b: DONE", "c: DONE"]);
  });

  it("gets another chance by new evidence, not by evidence that was there", async () => {
    const plan = FAILING.replace("{ id: a,", "{ id: a, requirements: [{ name: doc, kind: FILE }],");
    await using scene = await makePlanScene(plan, {
      "t.liquid": "{{ nobody }}",
      "one.txt": "1",
      "two.txt": "2",
    });
    await scene.apply();
    await scene.engine.addEvidence("a", "doc", { file: "one.txt" });
    for (let i = 0; i < 3; i++) await scene.run();
    const again = await scene.engine.addEvidence("a", "doc", { file: "one.txt" });
    expect(scene.standings(again.status)[0]).toBe("a: BLOCKED WAITING_EXTERNAL");
    const { status } = await scene.engine.addEvidence("a", "doc", { file: "two.txt" });
    expect(scene.standings(status)[0]).toBe("a: READY");
    await scene.run();
    expect(await runCount(scene)).toBe(4);
  });

  it("counts failures in a row: a success begins anew", async () => {
    await using scene = await makePlanScene(FAILING, { "t.liquid": "{{ nobody }}" });
    await scene.run();
    await scene.run();
    scene.folder.write({ "t.liquid": "fine" });
    await scene.run();
    scene.folder.write({ "t.liquid": "{{ nobody }}" });
    expect(scene.standings(await scene.run())).toEqual(["a: FAILED", "b: PENDING", "c: DONE"]);
  });

  it("has failed too where an input is missing, and says which", async () => {
    await using scene = await makePlanScene(planOf(HASH("a")));
    const { tasks } = await scene.run();
    expect(tasks).toMatchObject([
      { status: "FAILED", error: { code: "NOT_FOUND", message: expect.stringContaining("a.txt") } },
    ]);
  });
});

describe("a task that cannot be run now", () => {
  const CODE = {
    "skills/registry.yaml":
      "version: 1\nskills:\n  - { name: own, implementation: 'impl.mjs:run', inputs: [], outputs: { artifacts: [], evidences: [] }, params: { schema: {} }, idempotency: { cache: true } }\n",
    "impl.mjs":
      "export const run = () => ({ status: 'SUCCEEDED', artifacts: [], evidences: [], error: null });\n",
  };

  it("because it is refused stays READY, says why, and counts as no failure", async () => {
    const plan = planOf("{ id: a, skill: own }", "{ id: b, depends_on: [a] }", "{ id: c }");
    await using scene = await makePlanScene(plan, CODE, { trusted: "ask" });
    for (let i = 0; i < 4; i++) {
      const steps: PlanStep[] = [];
      const status = await scene.engine.runPlan("plan.yaml", { onProgress: (step) => steps.push(step) });
      expect(scene.standings(status)).toEqual(["a: READY", "b: PENDING", "c: DONE"]);
      expect(status.tasks[0]?.error).toMatchObject({
        code: "ACCESS_DENIED",
        message: expect.stringContaining("knack trust"),
      });
      expect(steps).toContainEqual(expect.objectContaining({ task: "a", status: "READY" }));
    }
    expect(await runCount(scene)).toBe(0);
  });

  it("because the plan was interrupted stays READY and counts as no failure", async () => {
    await using scene = await makePlanScene(planOf(HASH("a"), HASH("b")));
    const plan = await scene.engine.readPlan("plan.yaml");
    await scene.apply();
    const store = await scene.engine.store();
    const stop = new AbortController();
    const run: RunForTask = async () => {
      stop.abort(new KnackError("CONFLICT", "Interrupted."));
      stop.signal.throwIfAborted();
      throw new Error("unreachable");
    };
    const options = { projectRoot: scene.folder.path, parallel: 1, signal: stop.signal };
    await expect(runPlan(store, plan, run, options)).rejects.toThrow("Interrupted.");
    expect(scene.standings(await scene.apply())).toEqual(["a: READY", "b: READY"]);
    expect(await store.db.all("SELECT failures FROM task_nodes")).toEqual([{ failures: 0 }, { failures: 0 }]);
  });

  it("because the database failed ends the run only when the other tasks have ended", async () => {
    await using scene = await makePlanScene(planOf(HASH("a"), HASH("b")));
    const plan = await scene.engine.readPlan("plan.yaml");
    await scene.apply();
    let ended = false;
    const run: RunForTask = async (_skill, { inputs }) => {
      if (inputs[0]?.path.endsWith("a.txt")) throw new KnackError("DISK_FULL", "The disk is full.");
      await wait(50);
      ended = true;
      throw new KnackError("NOT_FOUND", "gone");
    };
    const options = { projectRoot: scene.folder.path, parallel: 2, signal: new AbortController().signal };
    await expect(runPlan(await scene.engine.store(), plan, run, options)).rejects.toThrow(
      "The disk is full.",
    );
    expect(ended).toBe(true);
  });
});

describe("a run for a task", () => {
  const plan = planOf(
    "{ id: a, requirements: [{ name: hash, kind: SKILL_OUTPUT, skill: file_fingerprint, evidence: FILE_HASH }] }",
  );

  it("is evidence by skill and kind, also from the cache, and moves the task in one step", async () => {
    await using scene = await makePlanScene(plan, { "f.txt": "1" });
    await scene.engine.run("file_fingerprint", { inputs: [{ path: "f.txt" }] });
    expect(scene.standings(await scene.apply())).toEqual(["a: BLOCKED WAITING_SKILL"]);
    await scene.engine.run("text_extract", { inputs: [{ path: "f.txt" }], task: "p/a" });
    expect(scene.standings(await scene.apply())).toEqual(["a: BLOCKED WAITING_SKILL"]);
    const { cached, run } = await scene.engine.run("file_fingerprint", {
      inputs: [{ path: "f.txt" }],
      task: "a",
    });
    expect(cached).toBe(true);
    expect(scene.standings(await scene.apply())).toEqual(["a: READY"]);
    const { db } = await scene.engine.store();
    expect(await db.all("SELECT evidence_type, kind, ref_id, ref_path FROM evidences")).toEqual([
      { evidence_type: "SKILL_OUTPUT", kind: "FILE_HASH", ref_id: run.id, ref_path: "f.txt" },
    ]);
    expect(scene.standings(await scene.run())).toEqual(["a: DONE"]);
  });

  it("that failed is no evidence", async () => {
    const any = planOf("{ id: a, requirements: [{ name: out, kind: SKILL_OUTPUT }] }");
    await using scene = await makePlanScene(any, { "t.liquid": "{{ nobody }}" });
    await scene.apply();
    const { run } = await scene.engine.run("template_render", { inputs: [{ path: "t.liquid" }], task: "a" });
    expect(run.status).toBe("FAILED");
    expect(scene.standings(await scene.apply())).toEqual(["a: BLOCKED WAITING_SKILL"]);
    const types = (await listEvents((await scene.engine.store()).db, 50)).map(({ event_type }) => event_type);
    expect(types).not.toContain("EVIDENCE_ADDED");
  });
});
