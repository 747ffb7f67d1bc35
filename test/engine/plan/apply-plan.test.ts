import { describe, expect, it } from "vitest";
import { listEvents } from "../../../packages/engine/src/audit/events.ts";
import { verifyLog } from "../../../packages/engine/src/audit/verify-store.ts";
import { makePlanScene, planOf } from "./plan-scene.ts";

const SIGN = "{ id: sign, requirements: [{ name: ok, kind: CONFIRMATION }] }";

describe("applying a plan", () => {
  it("brings each task to where it stands, with an event each", async () => {
    await using scene = await makePlanScene(planOf("{ id: a }", "{ id: b, depends_on: [a] }", SIGN));
    const status = await scene.apply();
    expect(scene.standings(status)).toEqual(["a: READY", "b: PENDING", "sign: BLOCKED WAITING_APPROVAL"]);
    expect(await scene.events()).toEqual(["STATUS_CHANGED", "STATUS_CHANGED"]);
    expect(status.tasks[2]?.requirements).toEqual([
      { name: "ok", kind: "CONFIRMATION", required: true, min_count: 1, have: 0, satisfied: false },
    ]);
  });

  it("twice changes nothing and writes no event", async () => {
    await using scene = await makePlanScene(planOf("{ id: a }", SIGN));
    const first = await scene.apply();
    const events = await scene.events();
    const { db } = await scene.engine.store();
    const rows = () => db.all("SELECT * FROM task_nodes ORDER BY task_id");
    const before = await rows();
    expect(await scene.engine.applyPlan("plan.yaml")).toMatchObject({ changed: false, status: first });
    expect(await scene.events()).toEqual(events);
    expect(await rows()).toEqual(before);
  });

  it("changed keeps the evidence of tasks that stayed and forgets those that went", async () => {
    await using scene = await makePlanScene(planOf(SIGN, "{ id: b, depends_on: [sign] }", "{ id: c }"));
    await scene.apply();
    await scene.engine.addEvidence("sign", "ok", { confirm: true });
    const changed = await scene.apply(planOf("{ id: d }", SIGN, "{ id: b, depends_on: [sign, d] }"));
    expect(scene.standings(changed)).toEqual(["d: READY", "sign: READY", "b: PENDING"]);
    expect(changed.tasks[1]?.requirements[0]).toMatchObject({ have: 1, satisfied: true });
    await scene.apply(planOf("{ id: d }"));
    const back = await scene.apply(planOf("{ id: d }", SIGN));
    expect(scene.standings(back)).toEqual(["d: READY", "sign: BLOCKED WAITING_APPROVAL"]);
    expect(await verifyLog((await scene.engine.store()).db)).toMatchObject({ ok: true });
  });

  it("takes evidence of a task whose name begins another's from that task alone", async () => {
    const other = SIGN.replace("id: sign", "id: sign-2");
    await using scene = await makePlanScene(planOf(SIGN, other));
    await scene.apply();
    await scene.engine.addEvidence("sign-2", "ok", { confirm: true });
    expect(scene.standings(await scene.apply(planOf(other)))).toEqual(["sign-2: READY"]);
  });

  it("with a requirement more makes a task BLOCKED again, also one that was DONE, and what depends on it PENDING", async () => {
    await using scene = await makePlanScene(planOf("{ id: a }", "{ id: b, depends_on: [a] }"));
    expect(scene.standings(await scene.run())).toEqual(["a: DONE", "b: DONE"]);
    const asked = "{ id: a, requirements: [{ name: ok, kind: CONFIRMATION }] }";
    const status = await scene.apply(planOf(asked, "{ id: b, depends_on: [a] }"));
    expect(scene.standings(status)).toEqual(["a: BLOCKED WAITING_APPROVAL", "b: PENDING"]);
    expect(scene.standings(await scene.run())).toEqual(["a: BLOCKED WAITING_APPROVAL", "b: PENDING"]);
  });

  it.each([
    ["{ name: x, kind: CONFIRMATION }", "BLOCKED WAITING_APPROVAL"],
    ["{ name: x, kind: FILE, allowed_types: [pdf] }", "BLOCKED WAITING_INPUT"],
    ["{ name: x, kind: FILE, min_count: 2 }", "BLOCKED WAITING_INPUT"],
    ["{ name: x, kind: FILE, allowed_types: [txt, pdf] }", "READY"],
  ])(
    "counts a file under the name of a requirement only for what that now asks for: %s",
    async (now, expected) => {
      const task = (requirement: string) => planOf(`{ id: a, requirements: [${requirement}] }`);
      await using scene = await makePlanScene(task("{ name: x, kind: FILE }"), {
        "workspace/inputs/x/one.txt": "1",
      });
      expect(scene.standings(await scene.apply())).toEqual(["a: READY"]);
      expect(scene.standings(await scene.apply(task(now)))).toEqual([`a: ${expected}`]);
    },
  );

  it("counts the output of a run only for the skill and the kind that are asked for now", async () => {
    const task = (more: string) =>
      planOf(`{ id: a, requirements: [{ name: x, kind: SKILL_OUTPUT, ${more} }] }`);
    await using scene = await makePlanScene(task("skill: file_fingerprint"), { "f.txt": "1" });
    await scene.apply();
    await scene.engine.run("file_fingerprint", { inputs: [{ path: "f.txt" }], task: "a" });
    expect(scene.standings(await scene.apply())).toEqual(["a: READY"]);
    const other = await scene.apply(task("skill: diff_artifact"));
    expect(scene.standings(other)).toEqual(["a: BLOCKED WAITING_SKILL"]);
    expect(scene.standings(await scene.apply(task("evidence: DIFF")))).toEqual(["a: BLOCKED WAITING_SKILL"]);
    expect(scene.standings(await scene.apply(task("required: true")))).toEqual(["a: READY"]);
  });

  it("moves no task where only the file's comments changed, and records the plan as it is now", async () => {
    const plan = planOf("{ id: a }");
    await using scene = await makePlanScene(plan);
    await scene.apply();
    scene.folder.write({ "plan.yaml": `# A note.\n${plan}` });
    expect(await scene.engine.applyPlan("plan.yaml")).toMatchObject({ changed: true });
    expect(await scene.events()).toEqual(["STATUS_CHANGED", "STATUS_CHANGED"]);
    const [last] = await listEvents((await scene.engine.store()).db, 1);
    expect(last).toMatchObject({ plan_id: "p", task_id: null, payload: { plan: "p" } });
  });

  it("handles 1,000 tasks", async () => {
    const tasks = Array.from(
      { length: 1000 },
      (_, i) => `{ id: t${i}, depends_on: [${i > 0 ? `t${i - 1}` : ""}] }`,
    );
    await using scene = await makePlanScene(planOf(...tasks));
    const { tasks: found } = await scene.apply();
    expect(found.filter(({ status }) => status === "PENDING")).toHaveLength(999);
  });
});

describe("tasks by name", () => {
  it("are found by id or by plan and id; a bare id in two plans is refused with both", async () => {
    await using scene = await makePlanScene(planOf(SIGN), {
      "other.yaml": planOf(SIGN).replace("plan: p", "plan: q"),
    });
    await scene.apply();
    await scene.engine.addEvidence("sign", "ok", { confirm: true });
    await scene.engine.applyPlan("other.yaml");
    await expect(scene.engine.addEvidence("sign", "ok", { confirm: true })).rejects.toMatchObject({
      code: "INVALID_PARAM",
      candidates: ["p/sign", "q/sign"],
    });
    const { status } = await scene.engine.addEvidence("q/sign", "ok", { confirm: true });
    expect(scene.standings(status)).toEqual(["sign: READY"]);
    for (const name of ["nobody", "p/nobody", "nowhere/sign", "/sign", "p/"])
      await expect(scene.engine.addEvidence(name, "ok", { confirm: true })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
  });
});

describe("evidence by hand", () => {
  const plan = planOf(
    "{ id: a, requirements: [{ name: doc, kind: FILE, allowed_types: [md] }, { name: ok, kind: CONFIRMATION }, { name: out, kind: SKILL_OUTPUT }] }",
  );
  it("is taken once, of the right kind and type, and told in the log with the person", async () => {
    await using scene = await makePlanScene(plan, { "a.md": "1", "sub/b.md": "1", "c.txt": "2" });
    await scene.apply();
    const add = (name: string, evidence: Parameters<typeof scene.engine.addEvidence>[2]) =>
      scene.engine.addEvidence("a", name, evidence);
    expect(await add("doc", { file: "a.md" })).toMatchObject({ added: true });
    expect(await add("doc", { file: "sub/b.md" })).toMatchObject({ added: false });
    expect(await add("ok", { confirm: true, by: "ada" })).toMatchObject({ added: true });
    for (const [name, evidence, code] of [
      ["doc", { file: "c.txt" }, "INVALID_PARAM"],
      ["doc", { file: "none.md" }, "NOT_FOUND"],
      ["doc", { file: "." }, "INVALID_PARAM"],
      ["doc", { confirm: true }, "INVALID_PARAM"],
      ["ok", { file: "a.md" }, "INVALID_PARAM"],
      ["out", { file: "a.md" }, "INVALID_PARAM"],
      ["out", { confirm: true }, "INVALID_PARAM"],
      ["nothing", { confirm: true }, "NOT_FOUND"],
    ] as const)
      await expect(add(name, evidence), name).rejects.toMatchObject({ code });
    const { db } = await scene.engine.store();
    const bound = await db.all("SELECT ref_path, data_json FROM evidences ORDER BY created_at, evidence_id");
    expect(bound).toEqual([
      { ref_path: "a.md", data_json: '{"path":"a.md","size_bytes":1}' },
      {
        ref_path: null,
        data_json: expect.stringMatching(
          /^\{"confirmed_by":"ada","task_sha256":"[0-9a-f]{64}","inputs":\[\]\}$/,
        ),
      },
    ]);
    const told = (await listEvents(db, 50)).filter(({ event_type }) => event_type === "EVIDENCE_ADDED");
    expect(told).toHaveLength(2);
    expect(told.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ confirmed_by: "ada" }),
    );
  });
});
