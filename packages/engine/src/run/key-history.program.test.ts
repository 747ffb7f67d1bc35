import { describe, expect, it } from "vitest";
import { code, entry, makeEngineScene } from "../testing/engine-scene.ts";
import { keyHistory } from "./explain-run.ts";

const changed = ({ parts }: Awaited<ReturnType<typeof keyHistory>>) =>
  parts.filter(({ same }) => !same).map(({ part, name }) => `${part} ${name}`.trim());

describe("why a run was executed", () => {
  it("is explained by the nearest earlier success, not by the last one", async () => {
    await using scene = makeEngineScene();
    const engine = await scene.open();
    const run = async (path: string, api_key?: string) =>
      (await engine.run("x", { inputs: [{ path }], params: api_key === undefined ? {} : { api_key } })).run;
    const first = await run("a.txt");
    const db = await engine.history();
    expect(await keyHistory(db, first)).toMatchObject({ compared_with: null });
    const other = await run("b.txt", "one-secret");
    expect(changed(await keyHistory(db, other))).toEqual(["input input", "param api_key"]);
    // Nearer to the first run than to the last.
    const third = await run("a.txt", "another-secret");
    const story = await keyHistory(db, third);
    expect(changed(story)).toEqual(["param api_key"]);
    expect(JSON.stringify(story)).not.toContain("secret");
  });

  it("names changed code, and what is not recorded", async () => {
    await using scene = makeEngineScene();
    const engine = await scene.open({ env: { MODE: "a" } });
    const run = async () => (await engine.run("x", { inputs: [{ path: "a.txt" }] })).run;
    await run();
    scene.project.write({ "impl/x.mjs": code('"other " + text') });
    const db = await engine.history();
    expect(changed(await keyHistory(db, await run()))).toEqual(["implementation impl/x.mjs:run"]);
    scene.project.write({ "skills/registry.yaml": entry("env: [MODE]") });
    await engine.reload();
    const story = await keyHistory(db, await run());
    expect(story.parts.at(-1)).toMatchObject({ part: "environment", same: false });
    expect(story.reason).toContain("All recorded parts are the same");
  });

  it("says that an earlier run with the same key failed", async () => {
    await using scene = makeEngineScene({ "impl/x.mjs": code("missing.value") });
    const engine = await scene.open();
    const run = async () => (await engine.run("x", { inputs: [{ path: "a.txt" }] })).run;
    const failed = await run();
    const story = await keyHistory(await engine.history(), await run());
    expect(story.compared_with?.id).toBe(failed.id);
    expect(story.reason).toContain("it failed (SKILL_FAILED)");
  });
});
