import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { placeArtifact } from "../../packages/engine/src/artifacts/place-artifact.ts";
import { listEvents } from "../../packages/engine/src/audit/events.ts";
import { makePlanScene, type PlanScene, planOf } from "../engine/plan/plan-scene.ts";

const PLAN = planOf(
  "{ id: extract, skill: text_extract, inputs: [{ file: a.txt }] }",
  "{ id: render, skill: template_render, depends_on: [extract], inputs: [{ role: template, file: t.liquid }] }",
);

async function planned(): Promise<PlanScene & { readonly artifact: string; readonly path: string }> {
  const scene = await makePlanScene(PLAN, { "a.txt": "the text\n", "t.liquid": "rendered\n" });
  const { tasks } = await scene.run();
  expect(scene.standings({ plan: "p", tasks })).toEqual(["extract: DONE", "render: DONE"]);
  const run = await scene.engine.findRun(tasks[0]?.run ?? "");
  const path = run?.artifacts[0]?.path ?? "";
  return Object.assign(scene, { path, artifact: scene.folder.at(path) });
}

const beside = (path: string): string[] => readdirSync(dirname(path)).sort();

describe("product: what a user edited is never overwritten", () => {
  it("plan run keeps the edited artifact beside the new one, and says so", async () => {
    await using scene = await planned();
    const right = readFileSync(scene.artifact, "utf8");
    writeFileSync(scene.artifact, "my own words");
    const again = await scene.run();
    const [extract] = again.tasks;
    const keptAs = scene.path.replace(/(\.[^.]*)$/, ".edited-1$1");
    expect(readFileSync(scene.artifact, "utf8")).toBe(right);
    expect(readFileSync(scene.folder.at(keptAs), "utf8")).toBe("my own words");
    expect(extract).toMatchObject({ status: "DONE", kept: [{ path: scene.path, kept_as: keptAs }] });
    const events = await listEvents((await scene.engine.store()).db, 1000);
    const told = events.filter(({ payload }) => "kept" in (payload as object));
    expect(told.map(({ event_type, payload }) => [event_type, (payload as { kept: unknown }).kept])).toEqual([
      ["SKILL_RUN", [{ path: scene.path, kept_as: keptAs }]],
    ]);
  });

  it("numbers the kept files, and never writes over one of them", async () => {
    await using scene = await planned();
    for (const text of ["first", "second", "third"]) {
      writeFileSync(scene.artifact, text);
      await scene.run();
    }
    const kept = beside(scene.artifact).filter((name) => name.includes(".edited-"));
    expect(kept.map((name) => readFileSync(join(dirname(scene.artifact), name), "utf8"))).toEqual([
      "first",
      "second",
      "third",
    ]);
  });

  it("keeps a folder and a link in the place likewise", async () => {
    await using scene = await planned();
    const right = readFileSync(scene.artifact, "utf8");
    rmSync(scene.artifact);
    mkdirSync(scene.artifact);
    writeFileSync(join(scene.artifact, "notes.txt"), "mine");
    await scene.run();
    expect(readFileSync(scene.artifact, "utf8")).toBe(right);
    const first = scene.artifact.replace(/(\.[^.]*)$/, ".edited-1$1");
    expect(readFileSync(join(first, "notes.txt"), "utf8")).toBe("mine");

    rmSync(scene.artifact);
    symlinkSync(scene.folder.at("a.txt"), scene.artifact);
    await scene.run();
    expect(readFileSync(scene.artifact, "utf8")).toBe(right);
    expect(readlinkSync(scene.artifact.replace(/(\.[^.]*)$/, ".edited-2$1"))).toBe(scene.folder.at("a.txt"));
    expect(readFileSync(scene.folder.at("a.txt"), "utf8")).toBe("the text\n");
  });

  it("keeps nothing where the artifact was only deleted", async () => {
    await using scene = await planned();
    rmSync(scene.artifact);
    const { tasks } = await scene.run();
    expect(tasks[0]).not.toHaveProperty("kept");
    expect(beside(scene.artifact).filter((name) => name.includes(".edited-"))).toEqual([]);
    expect(existsSync(scene.artifact)).toBe(true);
  });
});

/**
 * Saves numbered texts over the right artifact as editors do, by rename, and records each of them. It never saves over its
 * own text, so each one must exist at the end.
 */
function editor(path: string): ChildProcess {
  const program = `
    const fs = require("node:fs");
    const [path] = process.argv.slice(1);
    let number = 0;
    const timer = setInterval(() => {
      let there = "";
      try { there = fs.readFileSync(path, "utf8"); } catch (error) { if (error.code !== "ENOENT") throw error; }
      if (there !== "right") return;
      number += 1;
      fs.writeFileSync(path + ".saving", "edit " + number);
      fs.renameSync(path + ".saving", path);
      fs.appendFileSync(path + ".log", "edit " + number + "\\n");
    }, 0);
    process.once("message", () => { clearInterval(timer); process.disconnect(); });
    process.send("ready");`;
  return spawn(process.execPath, ["-e", program, path], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

describe("an edit between the check and the placing", () => {
  it("is kept whatever the moment: no saved text is lost", async () => {
    using project = makeFolder();
    using made = makeFolder({ "out.txt": "right" });
    const target = "workspace/artifacts/adhoc/report.txt";
    mkdirSync(dirname(project.at(target)), { recursive: true });
    const child = editor(project.at(target));
    await once(child, "message");
    const closed = once(child, "close");
    for (let round = 0; round < 500; round++) {
      const placed = await placeArtifact({
        artifactsDir: made.path,
        source: "out.txt",
        sha256: createHash("sha256").update("right").digest("hex"),
        projectRoot: project.path,
        target,
        replace: true,
      });
      expect(placed).toMatchObject({ path: target });
      if (round % 3 === 0) await new Promise((done) => setTimeout(done, 1));
    }
    child.send("end");
    await closed;
    const folder = dirname(project.at(target));
    const names = readdirSync(folder).filter((name) => /^report(\.edited-\d+)?\.txt$/.test(name));
    const there = new Set(names.map((name) => readFileSync(join(folder, name), "utf8")));
    const saved = readFileSync(`${project.at(target)}.log`, "utf8")
      .trim()
      .split("\n");
    console.log(`${saved.length} saves in the way of 500 placings`);
    expect(saved.length).toBeGreaterThan(20);
    expect(saved.filter((text) => !there.has(text))).toEqual([]);
  });
});
