import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listEvents } from "../../../packages/engine/src/audit/events.ts";
import { openEngine } from "../../../packages/engine/src/open-engine.ts";
import { testStoreUrl } from "../../../packages/engine/src/testing/store-url.ts";
import { makePlanScene, type PlanScene, planOf } from "./plan-scene.ts";

const HASH = "{ id: hash, skill: file_fingerprint, inputs: [{ file: f.txt }] }";
const NEEDS = (more: string, id = "use") =>
  `{ id: ${id}, requirements: [{ name: of, kind: SKILL_OUTPUT, ${more} }] }`;
const FILES = { "f.txt": "1", "g.txt": "2" };

/** What was bound: requirement, kind, path, and the number of the run. */
async function boundIn({ engine }: PlanScene): Promise<string[]> {
  const { db } = await engine.store();
  const rows = await db.all("SELECT requirement_id, kind, ref_path, ref_id FROM evidences ORDER BY 1, 3");
  const runs = [...new Set(rows.map(({ ref_id }) => ref_id))].sort();
  return rows.map(
    (row) => `${row.requirement_id} ${row.kind} ${row.ref_path} run ${runs.indexOf(row.ref_id) + 1}`,
  );
}

describe("003 §5.7, §7.4: the output of a task's run moves the plan", () => {
  it("is evidence for every requirement of the plan that it matches, without anybody's hand", async () => {
    const plan = planOf(
      NEEDS("skill: file_fingerprint, evidence: FILE_HASH", "named"),
      NEEDS("evidence: FILE_HASH", "kind"),
      NEEDS("task: hash", "task"),
      NEEDS("skill: text_extract", "other"),
      HASH,
    );
    await using scene = await makePlanScene(plan, FILES);
    expect(scene.standings(await scene.run())).toEqual([
      "named: DONE",
      "kind: DONE",
      "task: DONE",
      "other: BLOCKED WAITING_SKILL",
      "hash: DONE",
    ]);
    expect(await boundIn(scene)).toEqual([
      "p/kind/of FILE_HASH f.txt run 1",
      "p/named/of FILE_HASH f.txt run 1",
      "p/task/of null null run 1",
    ]);
    const events = await listEvents((await scene.engine.store()).db, 100);
    const told = events.filter(({ event_type }) => event_type === "EVIDENCE_ADDED");
    expect(told.map(({ task_id }) => task_id).toSorted()).toEqual(["kind", "named", "task"]);
    expect(new Set(told.map(({ run_id }) => run_id)).size).toBe(1);
    expect(await scene.engine.verify()).toMatchObject({ ok: true });
  });

  it("an artifact is evidence where no kind is asked for", async () => {
    const plan = planOf(
      "{ id: read, skill: text_extract, inputs: [{ file: f.txt }] }",
      NEEDS("skill: text_extract"),
    );
    await using scene = await makePlanScene(plan, FILES);
    expect(scene.standings(await scene.run())).toEqual(["read: DONE", "use: DONE"]);
    expect((await boundIn(scene))[0]).toMatch(/^p\/use\/of null workspace\/artifacts\/read\/.*\.txt run 1$/);
  });

  it("binds once, however often the plan is run, and a cached run binds too", async () => {
    await using scene = await makePlanScene(planOf(HASH, NEEDS("task: hash")), FILES);
    await scene.engine.run("file_fingerprint", { inputs: [{ path: "f.txt" }] });
    expect((await scene.run()).tasks.map(({ status, cached }) => [status, cached])).toEqual([
      ["DONE", true],
      ["DONE", undefined],
    ]);
    const once = await boundIn(scene);
    await scene.run();
    expect(await boundIn(scene)).toEqual(once);
    expect(once).toHaveLength(1);
  });

  it("of two runs both count where no task is named; the same result of one run counts once", async () => {
    const two = NEEDS("evidence: FILE_HASH, min_count: 2");
    const other = HASH.replace("id: hash", "id: again").replace("f.txt", "g.txt");
    await using scene = await makePlanScene(planOf(HASH, two), FILES);
    expect(scene.standings(await scene.run())).toEqual(["hash: DONE", "use: BLOCKED WAITING_SKILL"]);
    await scene.run();
    expect(scene.standings(await scene.run())[1]).toBe("use: BLOCKED WAITING_SKILL");
    await scene.apply(planOf(HASH, two, other));
    expect(scene.standings(await scene.run())).toEqual(["hash: DONE", "use: DONE", "again: DONE"]);
  });

  it("of a task that is named the last run counts: another run makes what needs it wait, then go on", async () => {
    await using scene = await makePlanScene(planOf(NEEDS("task: hash"), HASH), FILES);
    await scene.run();
    scene.folder.write({ "f.txt": "changed" });
    expect(scene.standings(await scene.run())).toEqual(["use: DONE", "hash: DONE"]);
    rmSync(scene.folder.at("f.txt"));
    expect(scene.standings(await scene.run())).toEqual(["use: BLOCKED WAITING_SKILL", "hash: FAILED"]);
    scene.folder.write({ "f.txt": "1" });
    expect(scene.standings(await scene.run())).toEqual(["use: DONE", "hash: DONE"]);
  });

  it("a plan that is edited between two runs asks for what it says now", async () => {
    await using scene = await makePlanScene(planOf(HASH), FILES);
    await scene.run();
    const other = HASH.replace("id: hash", "id: again").replace("f.txt", "g.txt");
    const named = (task: string) => planOf(HASH, other, NEEDS(`task: ${task}`));
    expect(scene.standings(await scene.apply(named("hash")))[2]).toBe("use: BLOCKED WAITING_SKILL");
    expect(scene.standings(await scene.run())[2]).toBe("use: DONE");
    await scene.apply(planOf(HASH, NEEDS("task: hash")));
    expect(scene.standings(await scene.apply(named("again")))[2]).toBe("use: BLOCKED WAITING_SKILL");
    expect(scene.standings(await scene.run())[2]).toBe("use: DONE");
  });

  it("a run by hand for a task is evidence for that task alone, and never another task's output", async () => {
    const plan = planOf(
      "{ id: hash, skill: file_fingerprint, inputs: [{ file: f.txt }], requirements: [{ name: ok, kind: CONFIRMATION }] }",
      NEEDS("evidence: FILE_HASH", "mine"),
      NEEDS("evidence: FILE_HASH", "others"),
      NEEDS("task: hash", "named"),
    );
    await using scene = await makePlanScene(plan, FILES);
    await scene.apply();
    for (const task of ["mine", "named"])
      await scene.engine.run("file_fingerprint", { inputs: [{ path: "f.txt" }], task });
    expect(scene.standings(await scene.run())).toEqual([
      "hash: BLOCKED WAITING_APPROVAL",
      "mine: DONE",
      "others: BLOCKED WAITING_SKILL",
      "named: BLOCKED WAITING_SKILL",
    ]);
  });

  it("a task that failed too often is not tried again because of evidence that it had", async () => {
    const broken =
      "{ id: broken, skill: template_render, inputs: [{ file: t.liquid }], requirements: [{ name: of, kind: SKILL_OUTPUT, task: hash }] }";
    await using scene = await makePlanScene(planOf(HASH, broken), { ...FILES, "t.liquid": "{{ nobody }}" });
    for (let round = 0; round < 3; round++) await scene.run();
    expect(scene.standings(await scene.run())).toEqual(["hash: DONE", "broken: BLOCKED WAITING_EXTERNAL"]);
  });

  it("two tasks that need each other's output by skill both wait; a run by hand begins it", async () => {
    const needs = (skill: string) => `requirements: [{ name: of, kind: SKILL_OUTPUT, skill: ${skill} }]`;
    const plan = planOf(
      `{ id: hash, skill: file_fingerprint, inputs: [{ file: f.txt }], ${needs("text_extract")} }`,
      `{ id: read, skill: text_extract, inputs: [{ file: f.txt }], ${needs("file_fingerprint")} }`,
    );
    await using scene = await makePlanScene(plan, FILES);
    const waiting = ["hash: BLOCKED WAITING_SKILL", "read: BLOCKED WAITING_SKILL"];
    expect(scene.standings(await scene.run())).toEqual(waiting);
    await scene.engine.run("text_extract", { inputs: [{ path: "f.txt" }], task: "hash" });
    expect(scene.standings(await scene.run())).toEqual(["hash: DONE", "read: DONE"]);
  });

  it("two who run one plan at once bind the same, once", async () => {
    await using scene = await makePlanScene(
      planOf(HASH, NEEDS("task: hash"), NEEDS("evidence: FILE_HASH", "u2")),
      FILES,
    );
    const { path, at } = scene.folder;
    const other = await openEngine({
      ...{ projectRoot: path, registry: [at("skills/registry.yaml")], store: testStoreUrl(path) },
      ...{ home: at("home"), env: {} },
    });
    const [one, two] = await Promise.all([scene.run(), other.runPlan("plan.yaml")]);
    await other.close();
    expect([scene.standings(one), scene.standings(two)]).toEqual(
      Array(2).fill(["hash: DONE", "use: DONE", "u2: DONE"]),
    );
    expect(await boundIn(scene)).toHaveLength(2);
    expect(await scene.engine.verify()).toMatchObject({ ok: true });
  });
});
