import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../testing/files.ts";
import { ProjectNow, type ProjectNowOptions } from "./project-now.ts";

const SKILLS = "repo/.agents/skills";

const makeProject = (): Folder =>
  makeFolder({
    "repo/.git/": "",
    "home/": "",
    [`${SKILLS}/one/SKILL.md`]: skillText("one"),
    [`${SKILLS}/two/`]: "",
  });

const open = (folder: Folder, more: ProjectNowOptions = {}): Promise<ProjectNow> =>
  ProjectNow.open({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false, ...more });

const names = ({ skills }: { readonly skills: readonly { readonly name: string }[] }): string[] =>
  skills.map(({ name }) => name);

describe("the skills for a call (document 001, refresh on call)", () => {
  it("are one look for all calls that wait for the same moment, which begins after each of them", async () => {
    using folder = makeProject();
    const live = await open(folder);
    const running = live.take();
    // Until it has begun.
    await Promise.resolve();
    writeFileSync(folder.at(SKILLS, "two/SKILL.md"), skillText("two"));
    const [a, b, c] = [live.take(), live.take(), live.take()];
    expect(a).toBe(b);
    expect(b).toBe(c);
    expect(a).not.toBe(running);
    // Whatever the first one saw, those that were asked for after the change have it.
    expect(names((await a).catalog)).toEqual(["one", "two"]);
    rmSync(folder.at(SKILLS, "one"), { recursive: true });
    expect(names(await live.refresh())).toEqual(["two"]);
    expect(names(live.catalog)).toEqual(["two"]);
  });

  it("are the same object while nothing changes", async () => {
    using folder = makeProject();
    const live = await open(folder);
    expect((await live.take()).catalog).toBe(live.catalog);
    expect(await live.take()).toBe(await live.take());
  });

  it("without refreshing on calls, change by a reload alone; rules hold at once all the same", async () => {
    using folder = makeProject();
    const live = await open(folder, { refreshOnCall: false });
    folder.write({
      [`${SKILLS}/two/SKILL.md`]: skillText("two"),
      "home/.knack/config.yaml": "permissions: { deny: [{ tool: skill_load, skill_name: one }] }\n",
    });
    expect(names(await live.refresh())).toEqual(["one"]);
    expect((await live.take()).policy).toMatchObject({ permissions: { deny: [{ skill_name: "one" }] } });
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
    expect((await live.take()).policy).toEqual({ problem: expect.stringContaining("validaton") });
    await expect(live.reload()).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    folder.write({ "home/.knack/config.yaml": "skills: { disabled: [one] }\n" });
    expect(names(await live.refresh())).toEqual([]);
  });
});

describe("the typed skills of a project", () => {
  it("are brought up to date with the skills, and make a next snapshot where they changed", async () => {
    using folder = makeProject();
    const live = await open(folder);
    const asked: boolean[] = [];
    const typed = { name: "typed", description: "", inputSchema: {}, typed: "project" } as const;
    let hasChanged = false;
    live.attach({
      refresh: async (_files, _trusted, force) => {
        asked.push(force);
        return hasChanged ? [{ ...typed, run: () => Promise.reject(new Error()) }] : undefined;
      },
    });
    const first = await live.refresh();
    hasChanged = true;
    const second = await live.refresh();
    expect(second).not.toBe(first);
    expect(second.snapshot_version).toBe(first.snapshot_version + 1);
    expect([...live.registry.keys()]).toEqual(["typed"]);
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
    await expect.poll(() => told.length).toBe(2);
    leave();
    rmSync(folder.at(SKILLS, "one"), { recursive: true });
    await live.refresh();
    expect(told).toEqual([
      ["one", "two"],
      ["one", "three", "two"],
    ]);
  });
});
