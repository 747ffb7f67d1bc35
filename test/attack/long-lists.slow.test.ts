import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRuntime } from "../../packages/core/src/live/create-runtime.ts";
import type { Session } from "../../packages/core/src/live/session.ts";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { knack } from "../cli/run.ts";

/** The maximum size of an error for its reader, usually a model: a few thousand bytes. */
const MOST = 12_000;
const MANY = 3_000;

describe("interfaces.md: errors stay short whatever they list", () => {
  let folder: Folder;
  let session: Session;

  beforeAll(async () => {
    const files: Record<string, string> = { "repo/.git/": "", "home/": "" };
    for (let i = 0; i < MANY; i++)
      files[`repo/.agents/skills/group-${i}/same/SKILL.md`] = skillText("same", `Does ${i}.`);
    folder = makeFolder(files);
    const runtime = await createRuntime({
      cwd: folder.at("repo"),
      home: folder.at("home"),
      env: {},
      cache: false,
    });
    session = runtime.session();
  });
  afterAll(() => folder[Symbol.dispose]());

  it("tells a model of 3,000 skills of one name in a few lines, with the number and the next step", async () => {
    for (const [tool, params] of [
      ["skill_load", { name: "same" }],
      ["Skill", { name: "same" }],
      ["skill_read_file", { name: "same", file: "SKILL.md" }],
    ] as const) {
      const answer = await session.call(tool, params);
      expect(JSON.stringify(answer).length, tool).toBeLessThan(MOST);
      expect(answer.text, tool).toMatch(/3000 skills are called "same".* and 2,980 more; .*skill_search/s);
      expect(answer.data).toMatchObject({ candidates_total: MANY });
      expect(answer.data.candidates).toHaveLength(20);
    }
  });

  it("does the same for a mention and a command", async () => {
    for (const input of ["use $same now", "/skill same"]) {
      const answer = await session.input(input);
      expect(JSON.stringify(answer).length, input).toBeLessThan(MOST);
      expect(JSON.stringify(answer), input).toContain("and 2,980 more");
    }
  });

  it("still finds the one of many that models are told of", async () => {
    using hidden = makeFolder({ "repo/.git/": "", "home/": "" });
    for (let i = 0; i < 40; i++)
      hidden.write({
        [`repo/.agents/skills/a${i}/same/SKILL.md`]: skillText(
          "same",
          "d",
          "disable-model-invocation: true\n",
        ),
      });
    hidden.write({ "repo/.agents/skills/z/same/SKILL.md": skillText("same", "the one") });
    const runtime = await createRuntime({
      cwd: hidden.at("repo"),
      home: hidden.at("home"),
      env: {},
      cache: false,
    });
    expect((await runtime.session().call("skill_load", { name: "same" })).status).toBe("success");
  });

  it("does the same at the command line", () => {
    for (const args of [
      ["show", "same"],
      ["load", "same"],
    ]) {
      const plain = knack(folder, args);
      expect(plain.code, args[0]).toBe(1);
      expect((plain.stdout + plain.stderr).length, args[0]).toBeLessThan(MOST);
      const { error } = knack(folder, [...args, "--json"]).json();
      expect(JSON.stringify(error).length, args[0]).toBeLessThan(MOST);
      expect(error.candidates?.length ?? 0, args[0]).toBeLessThanOrEqual(20);
    }
  });

  it("does the same over JSON-RPC", () => {
    const ask = (method: string, params: object): string =>
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`;
    for (const request of [
      ask("skills.load", { name: "same" }),
      ask("commands.execute", { input: "/skill same" }),
    ]) {
      const { stdout } = knack(folder, ["rpc"], { input: request, env: { KNACK_TRUST: "all" } });
      expect(stdout).toContain("and 2,980 more");
      expect(stdout.length).toBeLessThan(MOST);
    }
  });

  it("tells of a plan in a circle, and of one full of faults, in a few lines", () => {
    const circle = Array.from(
      { length: MANY },
      (_, i) => `  - { id: t${i}, depends_on: [t${(i + 1) % MANY}] }`,
    );
    const faults = Array.from({ length: MANY }, (_, i) => `  - { id: t${i}, skill: nothing-like-it-${i} }`);
    for (const [name, tasks] of [
      ["circle", circle],
      ["faults", faults],
    ] as const) {
      folder.write({ [`repo/${name}.yaml`]: `version: 1\nplan: ${name}\ntasks:\n${tasks.join("\n")}\n` });
      const { code, stdout, stderr } = knack(folder, ["plan", "apply", `${name}.yaml`], {
        env: { KNACK_TRUST: "all" },
      });
      expect(code, name).not.toBe(0);
      expect((stdout + stderr).length, name).toBeLessThan(MOST);
      expect(stdout + stderr, name).toMatch(/and 2,9\d\d more/);
    }
  });

  it("names a few of 200 tools that a skill needs", async () => {
    const tools = Array.from({ length: 200 }, (_, i) => `tool-${i}`).join(" ");
    using needy = makeFolder({
      "repo/.git/": "",
      "home/": "",
      "repo/.agents/skills/needy/SKILL.md": skillText("needy", "d", `requires_tools: ${tools}\n`),
    });
    const runtime = await createRuntime({
      cwd: needy.at("repo"),
      home: needy.at("home"),
      env: {},
      cache: false,
    });
    const answer = await runtime.session().call("skill_load", { name: "needy" });
    expect(answer.text).toMatch(/tool-19 and 180 more/);
  });

  it("names a few of the parameters that a call should not have", async () => {
    const params = Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`${"p".repeat(500)}${i}`, i]));
    const answer = await session.call("skill_search", { query: "x", ...params });
    expect(answer.text.length).toBeLessThan(MOST);
  });
});
