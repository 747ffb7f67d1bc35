import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { remove } from "../contents/testing/contract.ts";
import type { Engine } from "../open-engine.ts";
import type { SharedServer } from "../store/testing/postgres/server.ts";
import { sharedServer } from "../store/testing/postgres/shared-server.ts";
import { code, type EngineScene, makeEngineScene } from "../testing/engine-scene.ts";

const OUT = "workspace/artifacts/adhoc/out.txt";
const A = { inputs: [{ path: "a.txt" }] };
const B = { inputs: [{ path: "b.txt" }] };

/** What a server whose disk is full answers. */
const FULL_DISK = [
  `CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN RAISE EXCEPTION ''no space left'' USING ERRCODE = ''53100''; END'`,
  "CREATE TRIGGER full_disk BEFORE INSERT ON content_parts FOR EACH ROW EXECUTE FUNCTION disk_full()",
];

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer("18");
});

interface Machine {
  readonly scene: EngineScene;
  readonly engine: Engine;
}

describe("two machines with one PostgreSQL and no shared project", () => {
  let store: string;
  beforeEach(() => {
    store = server.url();
  });

  /** Machines with homes and projects of their own. The code says when it runs. */
  async function machines(
    work: (one: Machine, two: Machine) => Promise<void>,
    files: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await using one = makeEngineScene({ "impl/x.mjs": counted(), ...files });
    await using two = makeEngineScene({ "impl/x.mjs": counted(), ...files });
    const open = async (scene: EngineScene): Promise<Machine> => ({
      scene,
      engine: await scene.open({ store }),
    });
    await work(await open(one), await open(two));
  }

  const counted = (): string => code('"made of " + text', 'c.log("runs");');
  const fileOf = ({ scene }: Machine, path = OUT): string => readFileSync(scene.project.at(path), "utf8");

  it("a result made by one is a cache hit on the other, with the same bytes at the same path", () =>
    machines(async (one, two) => {
      const first = await one.engine.run("x", A);
      expect(first.run.error).toBeNull();
      expect(existsSync(two.scene.project.at(OUT))).toBe(false);
      const second = await two.engine.run("x", A);
      expect(second).toMatchObject({ cached: true, run: { id: first.run.id } });
      expect(second.run.artifacts).toEqual(first.run.artifacts);
      expect(fileOf(two)).toBe("made of a");
      expect(fileOf(two)).toBe(fileOf(one));
    }));

  it("many ask both at once, and the skill runs once", () =>
    machines(async (one, two) => {
      const runs = await Promise.all([one, two, one, two, one, two].map(({ engine }) => engine.run("x", A)));
      expect(new Set(runs.map(({ run }) => run.id)).size).toBe(1);
      expect(runs.filter(({ cached }) => !cached)).toHaveLength(1);
      expect(fileOf(one)).toBe(fileOf(two));
    }));

  it("keeps an edited file aside and brings the recorded one", () =>
    machines(async (one) => {
      const { run } = await one.engine.run("x", A);
      writeFileSync(one.scene.project.at(OUT), "my edit");
      const again = await one.engine.run("x", A);
      const kept_as = "workspace/artifacts/adhoc/out.edited-1.txt";
      expect(again).toMatchObject({ cached: true, run: { id: run.id }, kept: [{ path: OUT, kept_as }] });
      expect(fileOf(one)).toBe("made of a");
      expect(fileOf(one, kept_as)).toBe("my edit");
    }));

  it("writes over no file of the user, and through no link", () =>
    machines(async (one, two) => {
      await one.engine.run("x", A);
      using outside = makeFolder();
      symlinkSync(outside.path, two.scene.project.at("workspace"));
      const { run } = await two.engine.run("x", A);
      expect(run.error?.code).toBe("E_ARTIFACT_PATH");
      expect(existsSync(outside.at("artifacts"))).toBe(false);
    }));

  it("different results of two machines never share a path, so both are cache hits everywhere", () =>
    machines(async (one, two) => {
      const a = await one.engine.run("x", A);
      const b = await two.engine.run("x", B);
      expect(b.run.artifacts[0]?.path).toBe("workspace/artifacts/adhoc/out-2.txt");
      expect(await one.engine.run("x", B)).toMatchObject({ cached: true, run: { id: b.run.id } });
      expect(await two.engine.run("x", A)).toMatchObject({ cached: true, run: { id: a.run.id } });
      expect(fileOf(one, b.run.artifacts[0]?.path)).toBe("made of b");
      expect(fileOf(two)).toBe("made of a");
    }));

  it("runs again where the bytes are lost or wrong, and stores them again", () =>
    machines(async (one, two) => {
      const { run } = await one.engine.run("x", A);
      const { sha256 = "" } = run.artifacts[0] ?? {};
      const contents = await one.engine.contents();
      if (contents) await remove(contents, sha256);
      const again = await two.engine.run("x", A);
      expect(again).toMatchObject({ cached: false });
      expect(fileOf(two)).toBe("made of a");
      expect(await contents?.has(sha256)).toBe(true);
    }));

  it("an artifact that is asked for is fetched where it is missing", () =>
    machines(async (one, two) => {
      const { run } = await one.engine.run("x", A);
      for (const artifact of run.artifacts) await two.engine.fetchArtifact(artifact);
      expect(fileOf(two)).toBe("made of a");
      writeFileSync(two.scene.project.at(OUT), "my edit");
      for (const artifact of run.artifacts) await two.engine.fetchArtifact(artifact);
      expect(fileOf(two)).toBe("my edit");
    }));

  it("a plan goes on where another machine left it", () =>
    machines(
      async (one, two) => {
        expect((await one.engine.runPlan("plan.yaml")).tasks.map(({ status }) => status)).toEqual([
          "DONE",
          "DONE",
        ]);
        const steps: unknown[] = [];
        await two.engine.runPlan("plan.yaml", { onProgress: (step) => steps.push(step) });
        expect(steps).toEqual([
          { task: "first", status: "DONE", cached: true },
          { task: "second", status: "DONE", cached: true },
        ]);
        expect(fileOf(two, "workspace/artifacts/second/out.txt")).toBe("made of made of a");
      },
      {
        "plan.yaml": `version: 1
plan: p
title: P
tasks:
  - { id: first, title: First, skill: x, inputs: [{ file: a.txt }] }
  - { id: second, title: Second, skill: x, depends_on: [first], inputs: [{ task: first, artifact: out }] }
`,
      },
    ));

  it("a success is not recorded where its artifact cannot be stored", () =>
    machines(async (one) => {
      const { db } = await one.engine.store();
      for (const statement of FULL_DISK) await db.run(statement);
      const { run } = await one.engine.run("x", A);
      expect(run).toMatchObject({ status: "FAILED", error: { code: "E_ARTIFACT_STORE" } });
      expect(run.error?.message).toContain(`${OUT} was made but could not be stored: `);
      expect(await db.all("SELECT 1 AS one FROM skill_runs WHERE status = 'SUCCEEDED'")).toEqual([]);
      expect(await db.all("SELECT 1 AS one FROM artifacts")).toEqual([]);
    }));
});
