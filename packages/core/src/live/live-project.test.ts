import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../testing/files.ts";
import { LiveProject, type LiveProjectOptions } from "./live-project.ts";

const SKILLS = "repo/.agents/skills";

const makeProject = (): Folder =>
  makeFolder({
    "repo/.git/": "",
    "home/": "",
    [`${SKILLS}/one/SKILL.md`]: skillText("one"),
    [`${SKILLS}/two/`]: "",
  });

const open = (folder: Folder, more: LiveProjectOptions = {}): Promise<LiveProject> =>
  LiveProject.open({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false, ...more });

const names = ({ skills }: { readonly skills: readonly { readonly name: string }[] }): string[] =>
  skills.map(({ name }) => name);

describe("the skills for a call (document 001, refresh on call)", () => {
  it("are one look for all calls that wait for the same moment, which begins after each of them", async () => {
    using folder = makeProject();
    const live = await open(folder);
    const running = live.refresh();
    // Until it has begun.
    await Promise.resolve();
    writeFileSync(folder.at(SKILLS, "two/SKILL.md"), skillText("two"));
    const [a, b, c] = [live.refresh(), live.refresh(), live.refresh()];
    expect(a).toBe(b);
    expect(b).toBe(c);
    expect(a).not.toBe(running);
    // Whatever the first one saw, those that were asked for after the change have it.
    expect(names(await a)).toEqual(["one", "two"]);
    rmSync(folder.at(SKILLS, "one"), { recursive: true });
    expect(names(await live.refresh())).toEqual(["two"]);
    expect(names(live.catalog)).toEqual(["two"]);
  });

  it("are the same object while nothing changes", async () => {
    using folder = makeProject();
    const live = await open(folder);
    expect(await live.refresh()).toBe(live.catalog);
    expect(await live.refresh()).toBe(await live.refresh());
  });

  it("without refreshing on calls, change by a reload alone; rules hold at once all the same", async () => {
    using folder = makeProject();
    const live = await open(folder, { refreshOnCall: false });
    folder.write({
      [`${SKILLS}/two/SKILL.md`]: skillText("two"),
      "home/.knack/config.yaml": "permissions: { deny: [{ tool: skill_load, skill_name: one }] }\n",
    });
    expect(names(await live.refresh())).toEqual(["one"]);
    expect(await live.policy()).toMatchObject({ permissions: { deny: [{ skill_name: "one" }] } });
    expect(names(await live.reload())).toEqual(["one", "two"]);
    expect(names(live.catalog)).toEqual(["one", "two"]);
  });
});

describe("the configuration of a project", () => {
  it("that is wrong leaves the skills as they were, and is an error for a reload", async () => {
    using folder = makeProject();
    const live = await open(folder);
    folder.write({ "home/.knack/config.yaml": "skills: { validaton: strict }\n" });
    expect(names(await live.refresh())).toEqual(["one"]);
    expect(await live.policy()).toEqual({ problem: expect.stringContaining("validaton") });
    await expect(live.reload()).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    folder.write({ "home/.knack/config.yaml": "skills: { disabled: [one] }\n" });
    expect(names(await live.refresh())).toEqual([]);
  });
});

describe("a part of a project", () => {
  it("is brought up to date with the skills, and makes a next snapshot where it changed", async () => {
    using folder = makeProject();
    const live = await open(folder);
    const asked: boolean[] = [];
    let hasChanged = false;
    live.attach({
      refresh: async (force) => {
        asked.push(force);
        return hasChanged;
      },
    });
    const first = await live.refresh();
    hasChanged = true;
    const second = await live.refresh();
    expect(second).not.toBe(first);
    expect(second.snapshot_version).toBe(first.snapshot_version + 1);
    await live.reload();
    expect(asked).toEqual([false, false, true]);
  });
});

describe("whoever follows", () => {
  it("gets each next snapshot once, also one that a call made, until they leave", async () => {
    using folder = makeProject();
    const live = await open(folder);
    const told: string[][] = [];
    const leave = live.follow((catalog) => told.push(names(catalog)));
    folder.write({ [`${SKILLS}/two/SKILL.md`]: skillText("two") });
    await live.refresh();
    expect(told).toEqual([["one", "two"]]);
    folder.write({ [`${SKILLS}/three/SKILL.md`]: skillText("three") });
    await expect.poll(() => told.length, { timeout: 5_000 }).toBe(2);
    leave();
    rmSync(folder.at(SKILLS, "one"), { recursive: true });
    await live.refresh();
    expect(told).toEqual([
      ["one", "two"],
      ["one", "three", "two"],
    ]);
  });
});
