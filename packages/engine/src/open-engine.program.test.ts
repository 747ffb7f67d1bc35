import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { setTrusted } from "@knack/core/config";
import { describe, expect, it } from "vitest";
import type { Engine } from "./open-engine.ts";
import { code, entry, makeEngineScene } from "./testing/engine-scene.ts";
import { isOnServer } from "./testing/store-url.ts";

const OUT = "workspace/artifacts/adhoc/out.txt";

async function run(engine: Engine, file = "a.txt", params: object = {}) {
  const { run, cached } = await engine.run("x", { inputs: [{ path: file }], params });
  return { status: run.status, cached, path: run.artifacts[0]?.path, error: run.error };
}

describe("what is served from before", () => {
  it("is the result of the same function, declaration and kind of file only", async () => {
    await using scene = makeEngineScene({ "a.md": "a" });
    const engine = await scene.open();
    expect(await run(engine)).toMatchObject({ status: "SUCCEEDED", cached: false, path: OUT });
    expect(await run(engine)).toMatchObject({ cached: true, path: OUT });
    expect(await run(engine, "a.md")).toMatchObject({ cached: false });
    scene.project.write({ "skills/registry.yaml": entry("", "impl/x.mjs:other") });
    expect(await run(await scene.open())).toMatchObject({ cached: false });
    scene.project.write({ "skills/registry.yaml": entry("", "impl/x.mjs:run", "elsewhere/{key}.txt") });
    expect((await run(await scene.open())).path).toMatch(/^workspace\/artifacts\/elsewhere\//);
  });

  it("is not that of code which has changed since the engine was opened", async () => {
    await using scene = makeEngineScene();
    const engine = await scene.open();
    await run(engine);
    scene.project.write({ "impl/x.mjs": code('"other"') });
    const { cached, path = "" } = await run(engine);
    expect(cached).toBe(false);
    expect(readFileSync(scene.project.at(path), "utf8")).toBe("other");
  });

  it("is made again where it was, after an edit, a link or a deletion", async () => {
    await using scene = makeEngineScene();
    const engine = await scene.open();
    await run(engine);
    const file = scene.project.at(OUT);
    for (const harm of [
      () => rmSync(file),
      () => writeFileSync(file, "edited"),
      () => {
        renameSync(file, `${file}.real`);
        symlinkSync("out.txt.real", file);
      },
    ]) {
      harm();
      // A team's store has the bytes, so that they are fetched.
      expect(await run(engine)).toMatchObject({ status: "SUCCEEDED", cached: isOnServer, path: OUT });
      expect(readFileSync(file, "utf8")).toBe("made of a");
    }
  });

  it("is refused behind a folder that is a link", async () => {
    await using scene = makeEngineScene();
    const engine = await scene.open();
    await run(engine);
    renameSync(scene.project.at("workspace"), scene.project.at("moved"));
    symlinkSync("moved", scene.project.at("workspace"));
    expect(await run(engine)).toMatchObject({ status: "FAILED", error: { code: "E_ARTIFACT_PATH" } });
  });

  it.skipIf(isOnServer)("never writes over what another run made at its place meanwhile", async () => {
    await using scene = makeEngineScene();
    const engine = await scene.open();
    await run(engine, "a.txt");
    rmSync(scene.project.at(OUT));
    expect(await run(engine, "b.txt")).toMatchObject({ path: OUT });
    expect(await run(engine, "a.txt")).toMatchObject({ path: "workspace/artifacts/adhoc/out-2.txt" });
    expect(await run(engine, "b.txt")).toMatchObject({ cached: true, path: OUT });
    expect(await run(engine, "a.txt")).toMatchObject({ cached: true });
  });
});

describe("code of the project", () => {
  it("runs as it was trusted, and not with a changed byte, also of a file that it imports", async () => {
    const importing = `import "./lib.mjs"; ${code()}`;
    await using scene = makeEngineScene({ "impl/x.mjs": importing, "impl/lib.mjs": "1" });
    const { project, home } = scene;
    const engine = await scene.open({ trusted: "ask" });
    const refused = { code: "ACCESS_DENIED" };
    await expect(run(engine)).rejects.toMatchObject(refused);
    await setTrusted(project.path, true, { env: {}, home }, engine.approvals);
    expect(await run(engine)).toMatchObject({ status: "SUCCEEDED" });
    project.write({ "impl/lib.mjs": "2" });
    await expect(run(engine)).rejects.toMatchObject(refused);
    await expect(run(await scene.open({ trusted: "ask" }))).rejects.toMatchObject(refused);
    project.write({ "impl/lib.mjs": "1" });
    expect(await run(engine)).toMatchObject({ status: "SUCCEEDED", cached: true });
  });

  it("fails where it was swapped while it ran, though the bytes are back", async () => {
    await using scene = makeEngineScene({
      "impl/x.mjs": code("1", 'c.log("swap"); await new Promise((r) => setTimeout(r, 300));'),
    });
    const engine = await scene.open();
    const file = scene.project.at("impl/x.mjs");
    const text = readFileSync(file);
    const onLog = (): void => {
      writeFileSync(file, "");
      writeFileSync(file, text);
    };
    const { run: done } = await engine.run("x", { inputs: [{ path: "a.txt" }], onLog });
    expect(done).toMatchObject({
      status: "FAILED",
      error: { message: expect.stringContaining("changed during the run") },
    });
    expect(await run(engine)).toMatchObject({ status: "SUCCEEDED", cached: false });
  });
});

describe("what a run leaves in the database", () => {
  it.skipIf(isOnServer)("has no secret of its parameters and variables, in no file of it", async () => {
    const said =
      'const said = process.env.MY_TOKEN + " " + c.params.api_key + " sk-abcdefghijklmnopqrstuvwx"; c.log(said); throw new Error(said);';
    await using scene = makeEngineScene({
      "skills/registry.yaml": entry("env: [MY_TOKEN]"),
      "impl/x.mjs": code("1", said),
    });
    const engine = await scene.open({ env: { MY_TOKEN: "hunter2hunter2" } });
    const { error } = await run(engine, "a.txt", { api_key: "correct horse" });
    expect(error?.message).toContain("[redacted] [redacted] [redacted]");
    const folder = scene.project.at(".knack");
    const bytes = readdirSync(folder)
      .map((name) => readFileSync(`${folder}/${name}`, "latin1"))
      .join();
    for (const secret of ["hunter2", "correct horse", "sk-abcdefgh"]) expect(bytes).not.toContain(secret);
  });

  it("is bounded where the function fails with megabytes", async () => {
    const failing =
      'return { status: "FAILED", artifacts: [], evidences: [], error: { code: "C".repeat(1e5), message: "m".repeat(5e6) } };';
    await using scene = makeEngineScene({ "impl/x.mjs": code("1", failing) });
    const { error } = await run(await scene.open());
    expect([error?.code.length, error?.message.length]).toEqual([100, 4_000]);
  });

  it.skipIf(isOnServer)(
    "is where the user looks, after the file was replaced or could not be opened",
    async () => {
      await using scene = makeEngineScene({ ".knack/state.db": "something else" });
      const engine = await scene.open();
      await expect(run(engine)).rejects.toMatchObject({ code: "FOREIGN" });
      rmSync(scene.project.at(".knack/state.db"));
      await Promise.all([run(engine), run(engine)]);
      rmSync(scene.project.at(".knack"), { recursive: true });
      await run(engine);
      expect(readdirSync(scene.project.at(".knack"))).toContain("state.db");
    },
  );
});

it.each(["0", "-1", "soon", "1e9"])("refuses KNACK_RUN_LEASE_SECONDS=%s", async (seconds) => {
  await using scene = makeEngineScene();
  const engine = await scene.open({ env: { KNACK_RUN_LEASE_SECONDS: seconds } });
  await expect(run(engine)).rejects.toMatchObject({ code: "INVALID_PARAM" });
});

// All of them are in registry/path-template.test.ts.
it.each(["../../etc/cron.d", "", "a\0b", "plan/..", "a".repeat(5_000)])(
  "refuses the task %j before anything is made",
  async (task) => {
    await using scene = makeEngineScene();
    const engine = await scene.open();
    await expect(engine.run("x", { inputs: [{ path: "a.txt" }], task })).rejects.toMatchObject({
      code: "INVALID_PARAM",
      message: expect.stringContaining("E_ARTIFACT_PATH"),
    });
    expect(readdirSync(scene.project.path).sort()).toEqual(["a.txt", "b.txt", "impl", "skills"]);
  },
);

it.skipIf(isOnServer).each(["{key}", "t", "p/t", "adhoc"])(
  "a task that no applied plan has is refused with the next step, and nothing is made: %s",
  async (task) => {
    await using scene = makeEngineScene();
    const engine = await scene.open();
    await expect(engine.run("x", { inputs: [{ path: "a.txt" }], task })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("knack plan apply"),
    });
    expect(existsSync(scene.project.at("workspace"))).toBe(false);
    expect(engine.hasStore).toBe(false);
  },
);

it("refuses an artifact that is there twice", async () => {
  const twice =
    'fs.writeFileSync(join(c.artifactsDir, "o"), ""); const a = { name: "out", path: "o", format: "txt", sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" }; return { status: "SUCCEEDED", artifacts: [a, a], evidences: [], error: null };';
  await using scene = makeEngineScene({ "impl/x.mjs": code("1", twice) });
  expect(await run(await scene.open())).toMatchObject({ error: { code: "SKILL_BAD_OUTPUT" } });
});

describe("trust and rules that change while an engine is open", () => {
  const LENIENT =
    "version: 1\nskills:\n  - name: validator_basic\n    idempotency: { strategy: INPUT_HASHES, cache: true }\n";

  it("a redeclared built-in is as Knack has it again when trust is taken back", async () => {
    await using scene = makeEngineScene({ "skills/registry.yaml": LENIENT });
    const { project, home } = scene;
    const place = { env: {}, home };
    await setTrusted(project.path, true, place);
    const engine = await scene.open({ trusted: "ask" });
    const strategy = async () =>
      (await engine.prepare("validator_basic", { inputs: [{ path: "a.txt" }] })).keyParts.strategy;
    expect(await strategy()).toBe("INPUT_HASHES");
    await setTrusted(project.path, false, place);
    expect(await strategy()).toBe("INPUT_HASHES_PLUS_PARAMS");
    expect(engine.errors).toMatchObject([{ code: "E_REG_BUILTIN", line: 3 }]);
  });

  it("a deny holds from the next run on", async () => {
    await using scene = makeEngineScene();
    const engine = await scene.open();
    expect(await run(engine)).toMatchObject({ status: "SUCCEEDED" });
    scene.project.write({ ".knack/config.yaml": "permissions: { deny: [{ tool: x }] }\n" });
    await expect(run(engine)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    scene.project.write({ ".knack/config.yaml": "permissions: { deny: 7 }\n" });
    await expect(run(engine)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });
});

it("gives no file of .knack to a model or a named token, also through a link: it may have a password", async () => {
  await using scene = makeEngineScene({ ".knack/config.yaml": "store: { url: postgres://u:p@h/d }\n" });
  symlinkSync(".knack", scene.project.at("other"));
  const engine = await scene.open();
  for (const path of [".knack/config.yaml", "other/config.yaml"]) {
    const asked = engine.run("file_fingerprint", { inputs: [{ path }], insideProjectOnly: true });
    await expect(asked).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  }
  const person = await engine.run("file_fingerprint", { inputs: [{ path: ".knack/config.yaml" }] });
  expect(person.run.status).toBe("SUCCEEDED");
});
