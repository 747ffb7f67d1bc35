import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { askMcp, knack, makeProject, REPO, TRUST } from "./run.ts";

describe("knack mcp in a pipe", () => {
  it("answers what came before the end of its input", () => {
    using folder = makeProject();
    const search = { name: "skill_search", arguments: { query: "good" } };
    const { code, answers } = askMcp(
      folder,
      [
        { method: "tools/list", params: {} },
        { method: "tools/call", params: search },
      ],
      TRUST,
    );
    expect(code).toBe(0);
    expect(answers[0].result.tools).not.toEqual([]);
    expect(answers[1].result.content[0].text).toContain("- good (repo, ");
  });
});

/** Every way in which a skill is there and cannot be used. */
const unusable = () =>
  makeProject({
    "repo/skills/one/SKILL.md": skillText("same"),
    "repo/skills/two/SKILL.md": skillText("same"),
    "home/.knack/config.yaml": [
      "skills:",
      "  disabled: [off, misteriuos]",
      "  roots: [nowhere]",
      "permissions:",
      "  deny:",
      "    - { tool: shel }",
      "    - { tool: skill_load, skill_name: goood }",
      "    - { tool: skill_load, skill_name: ./gone }",
      "",
    ].join("\n"),
  });

describe("a server says at its start what agents do not get", () => {
  it.each([
    ["mcp", ""],
    ["rpc", '{"jsonrpc":"2.0","id":1,"method":"skills.list","params":{}}\n'],
    ["shell", "/skills\n"],
  ])("knack %s: once, on standard error alone", (command, input) => {
    using folder = unusable();
    const { stdout, stderr } = knack(folder, [command], { input, ...TRUST });
    const file = folder.at("home/.knack/config.yaml");
    expect(stderr.split("\n")).toEqual([
      "note: 3 skills cannot be used: 1 skipped, 1 ineligible, 1 shadowed; 1 path not searched. See why: knack doctor",
      `note: ${file}:6: permissions.deny[0].tool has no effect: no tool here is called "shel". Did you mean "shell"?`,
      `note: ${file}:7: permissions.deny[1].skill_name has no effect: no skill here is called "goood". Did you mean "good"?`,
      `note: ${file}:8: permissions.deny[2].skill_name has no effect: there is no skill at ${folder.at("home/gone")}.`,
      "note: 2 more settings have no effect. See which: knack doctor",
      "",
    ]);
    expect(stdout).not.toMatch(/note: |See why/);
  });

  it("and nothing where there is nothing to say", () => {
    using folder = makeFolder({
      "repo/.git/": "",
      [`${REPO}/good/SKILL.md`]: skillText("good"),
      "home/.knack/config.yaml":
        "permissions: { deny: [{ tool: Shell }, { tool: skill_load, skill_name: Good }, { tool: text_extract }] }\n",
    });
    expect(knack(folder, ["shell"], { input: "/skills\n", ...TRUST }).stderr).toBe("");
  });
});

describe("knack mcp in a project that is not trusted", () => {
  it("offers the user's own skills alone, and says how many cannot be used, as knack list counts them", () => {
    using folder = makeProject();
    const { code, stdout, stderr } = askMcp(folder, []);
    expect(code).toBe(0);
    expect(stderr).toBe(
      "note: 3 skills cannot be used: 1 skipped, 1 ineligible, 1 waiting for trust (knack trust). See why: knack doctor\n",
    );
    const listed = knack(folder, ["list"]).stderr;
    for (const same of ["1 skill left out.", "1 ineligible.", "1 skill of this project is hidden"])
      expect(listed).toContain(same);
    expect(stdout).not.toContain("Does good.");
  });

  it("does not start with a wrong configuration, and names its line", () => {
    using folder = makeProject({ "home/.knack/config.yaml": "permissions: { allow: [{ tol: x }] }\n" });
    const { code, stdout, stderr } = knack(folder, ["mcp"], { input: "" });
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("config.yaml:1")]);
  });
});
