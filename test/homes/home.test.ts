import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, knack } from "../cli/run.ts";
import { call } from "../mcp/call.ts";
import { open } from "../mcp/ways.ts";
import { ROWS } from "./folders.ts";
import type { Had } from "./had.ts";
import { type Home, makeHome } from "./home.ts";

describe("a home with 70 skills in the folders that people use", () => {
  let home: Home;
  let answer: Answer;
  beforeAll(() => {
    home = makeHome();
    knack(home.folder, ["trust", "--yes"], { cwd: "repo/packages/app" });
    answer = knack(home.folder, ["list", "--json"], { cwd: "repo/packages/app" }).json();
  });
  afterAll(() => home.folder[Symbol.dispose]());

  const below = (path: string): string => relative(home.folder.path, path);
  const found = (one: Had) => answer.skills.find(({ path }) => below(path) === one.path);
  const inPlugins = (clients: readonly string[]): Had[] =>
    home.skills.filter(({ plugin, client = "" }) => plugin && clients.includes(client));

  it("has at least one in every folder of the table", () => {
    const rows = home.skills.map(({ row }) => row);
    expect(ROWS.filter(({ path }) => !rows.includes(path))).toEqual([]);
  });

  it("lists every skill of every folder, with its client", () => {
    const alone = home.skills.filter(({ plugin }) => !plugin);
    const expected = alone.map(({ path, name, client }) => ({ path, name, client }));
    expect(
      alone.map((one) => ({ path: one.path, name: found(one)?.name, client: found(one)?.client })),
    ).toEqual(expected);
  });

  it("lists those of plugins that are on", () => {
    const skills = inPlugins(["claude", "codex", "copilot"]);
    expect(skills.map((one) => ({ name: found(one)?.name, client: found(one)?.client }))).toEqual(
      skills.map(({ plugin, name, client }) => ({ name: `${plugin}:${name}`, client })),
    );
  });

  it("lists those of extensions, linked ones too", () => {
    const expected = inPlugins(["gemini", "qwen"]);
    expect(expected.filter((one) => !found(one)?.name.endsWith(one.name))).toEqual([]);
  });

  it("lists nothing else: plugins that are off, removed or another project's stay unseen", () => {
    const paths = new Set(home.skills.map(({ path }) => path));
    expect(answer.skills.map(({ path }) => below(path)).filter((path) => !paths.has(path))).toEqual([]);
  });

  it("gives an agent every skill that it lists, and a person too", async () => {
    await using mcp = await open(home.folder, { transport: "stdio", revision: "2025-11-25" });
    const { skills } = knack(home.folder, ["list", "--json"]).json();
    for (const { id, name } of skills) {
      const { status, text } = await call(mcp.client, "skill_load", { name: id });
      expect({ name, status }, text).toEqual({ name, status: "success" });
    }
    expect(knack(home.folder, ["load", "office:office-letters"]).stdout).toContain("# office-letters");
  });

  it("says which file of a client is broken, so that its plugins are missing", () => {
    const file = "home/.claude/plugins/installed_plugins.json";
    const whole = readFileSync(home.folder.at(file), "utf8");
    home.folder.write({ [file]: whole.slice(0, -20) });
    const { skills, errors } = knack(home.folder, ["list", "--json"], { cwd: "repo" }).json();
    home.folder.write({ [file]: whole });
    expect(skills.filter(({ name }) => name.startsWith("office:"))).toEqual([]);
    expect(errors.find(({ path }) => below(path) === file)).toMatchObject({
      code: "E_UNREADABLE",
      message: expect.stringMatching(/not valid JSON.*Claude Code's plugins/),
    });
  });

  it("takes copies and links as one skill with several places, its own first", () => {
    const several = home.skills.filter(({ alsoAt }) => alsoAt.length > 0);
    expect(several).toHaveLength(2);
    for (const one of several) {
      const [first, ...others] = found(one)?.places?.map(below) ?? [];
      expect(first).toBe(one.path);
      expect(others.sort()).toEqual([...one.alsoAt].sort());
    }
    const rest = home.skills.filter(({ alsoAt }) => alsoAt.length === 0);
    expect(rest.filter((one) => found(one)?.places).map(({ path }) => path)).toEqual([]);
  });

  it("leaves a skill without a description out and says why", () => {
    const [bare] = home.leftOut;
    expect(answer.errors.map(({ path, code }) => [below(path), code])).toEqual([
      [bare?.path, "E_DESC_INVALID"],
    ]);
  });
});
