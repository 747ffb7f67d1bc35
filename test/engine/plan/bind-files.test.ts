import { chmodSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listEvents } from "../../../packages/engine/src/audit/events.ts";
import { makePlanScene, type PlanScene, planOf } from "./plan-scene.ts";

const asking = (...requirements: string[]) => planOf(`{ id: a, requirements: [${requirements.join(", ")}] }`);
const have = async (scene: PlanScene): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await scene.apply()).tasks.flatMap((task) =>
      task.requirements.map((requirement) => [`${task.id}/${requirement.name}`, requirement.have]),
    ),
  );
const told = async (scene: PlanScene): Promise<unknown[]> =>
  (await listEvents((await scene.engine.store()).db, 1000))
    .filter(({ event_type }) => event_type === "ERROR")
    .map(({ payload }) => (payload as { message: string }).message);

describe("files in workspace/inputs/<requirement>/", () => {
  it("bind where their type is allowed, in any case; keywords are not asked for", async () => {
    await using scene = await makePlanScene(
      asking("{ name: src, kind: FILE, allowed_types: [pdf], validation: { filename_keywords: [source] } }"),
      {
        "workspace/inputs/src/a.PDF": "1",
        "workspace/inputs/src/b.pdf": "2",
        "workspace/inputs/src/c.txt": "3",
        "workspace/inputs/src/d.pdf.exe": "4",
        "workspace/inputs/src/pdf": "5",
      },
    );
    expect(await have(scene)).toEqual({ "a/src": 2 });
    expect(await told(scene)).toEqual(
      ["c.txt", "d.pdf.exe", "pdf"].map(
        (name) => `workspace/inputs/src/${name} was not bound. src does not allow files of this type.`,
      ),
    );
  });

  it("count once for the same bytes, and once for one file however often it is changed", async () => {
    await using scene = await makePlanScene(asking("{ name: src, kind: FILE, min_count: 2 }"), {
      "workspace/inputs/src/a": "same",
      "workspace/inputs/src/b": "same",
    });
    expect(await have(scene)).toEqual({ "a/src": 1 });
    scene.folder.write({ "workspace/inputs/src/a": "changed" });
    expect(await have(scene)).toEqual({ "a/src": 1 });
    scene.folder.write({ "workspace/inputs/src/c": "other" });
    expect(await have(scene)).toEqual({ "a/src": 2 });
    expect(scene.standings(await scene.apply())).toEqual(["a: READY"]);
  });

  it("bind to every task that has a requirement of that name", async () => {
    const requirement = "requirements: [{ name: src, kind: FILE }]";
    await using scene = await makePlanScene(
      planOf(`{ id: a, ${requirement} }`, `{ id: b, ${requirement} }`),
      {
        "workspace/inputs/src/x": "1",
      },
    );
    expect(await have(scene)).toEqual({ "a/src": 1, "b/src": 1 });
  });

  it("do not bind where they are hidden, links, folders or nobody's", async () => {
    await using scene = await makePlanScene(asking("{ name: src, kind: FILE }"), {
      outside: "1",
      "workspace/inputs/src/.hidden": "1",
      "workspace/inputs/src/link": { link: "../../../outside" },
      "workspace/inputs/src/folder/x": "1",
      "workspace/inputs/other/x": "1",
    });
    expect(await have(scene)).toEqual({ "a/src": 0 });
  });

  it("stay bound when they are taken away: the record is of what was there", async () => {
    await using scene = await makePlanScene(asking("{ name: src, kind: FILE }"), {
      "workspace/inputs/src/x": "1",
    });
    await scene.apply();
    rmSync(scene.folder.at("workspace"), { recursive: true });
    expect(await have(scene)).toEqual({ "a/src": 1 });
  });

  it("that cannot be read are told, and the others bind", async () => {
    await using scene = await makePlanScene(asking("{ name: src, kind: FILE }"), {
      "workspace/inputs/src/x": "1",
      "workspace/inputs/src/y": "2",
    });
    chmodSync(scene.folder.at("workspace/inputs/src/x"), 0);
    const isRoot = process.getuid?.() === 0;
    expect(await have(scene)).toEqual({ "a/src": isRoot ? 2 : 1 });
    expect(await told(scene)).toHaveLength(isRoot ? 0 : 1);
  });

  it("have names as long and as strange as the system allows", async () => {
    const names = ["x".repeat(250), "a\nb", "\u001b[31m", "価格 表.txt", "sk-abcdefghijklmnopqrstuvwx"];
    await using scene = await makePlanScene(
      asking("{ name: src, kind: FILE }"),
      Object.fromEntries(names.map((name, i) => [`workspace/inputs/src/${name}`, String(i)])),
    );
    expect(await have(scene)).toEqual({ "a/src": names.length });
  });
});

describe("files directly in workspace/inputs/", () => {
  const two = asking(
    "{ name: src, kind: FILE, allowed_types: [pdf, md], validation: { filename_keywords: [Source, 価格, Café] } }",
    "{ name: plan, kind: FILE, allowed_types: [md], validation: { filename_keywords: [plan] } }",
  );

  it("bind where type and keyword fit exactly one requirement, in any case and any script", async () => {
    await using scene = await makePlanScene(two, {
      "workspace/inputs/my-SOURCE.pdf": "1",
      "workspace/inputs/2026価格表.md": "2",
      "workspace/inputs/cafe\u0301.md": "3",
      "workspace/inputs/plan.md": "4",
    });
    expect(await have(scene)).toEqual({ "a/src": 3, "a/plan": 1 });
    expect(await told(scene)).toEqual([]);
  });

  it("are told in the log, once, where they fit none or several", async () => {
    await using scene = await makePlanScene(two, {
      "workspace/inputs/plan-source.md": "1",
      "workspace/inputs/unknown.md": "2",
      "workspace/inputs/source.exe": "3",
      "workspace/inputs/token=abcdefgh.exe": "4",
    });
    expect(await have(scene)).toEqual({ "a/src": 0, "a/plan": 0 });
    const once = await told(scene);
    expect(once).toEqual([
      "workspace/inputs/plan-source.md was not bound. It matches several requirements (a/src, a/plan); move it into the folder of one of them.",
      "workspace/inputs/source.exe was not bound. It matches no requirement.",
      expect.stringContaining("[redacted]"),
      "workspace/inputs/unknown.md was not bound. It matches no requirement.",
    ]);
    await scene.apply();
    await scene.apply();
    expect(await told(scene)).toEqual(once);
  });

  it("bind by type alone where no keyword is asked for", async () => {
    await using scene = await makePlanScene(asking("{ name: src, kind: FILE, allowed_types: [csv] }"), {
      "workspace/inputs/anything.csv": "1",
    });
    expect(await have(scene)).toEqual({ "a/src": 1 });
  });
});
