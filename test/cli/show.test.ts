import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { HOME, knack, makeProject, REPO } from "./run.ts";

describe("a mistyped name", () => {
  it.each([
    [["show", "godo"]],
    [["load", "godo"]],
    [["dispatch", "--role", "fixer", "--skill", "godo", "--prompt", "x"]],
  ])("%j names the nearest", (args) => {
    using folder = makeProject();
    const { code, stderr } = knack(folder, args);
    expect([code, stderr]).toEqual([1, expect.stringContaining('Did you mean "good"?')]);
    expect(knack(folder, ["show", "nothing-like-it"]).stderr).not.toContain("Did you mean");
    expect(knack(folder, ["show", "x".repeat(100_000)]).code).toBe(1);
  });
});

describe("knack show", () => {
  it("--json is {skill, files, edges, diagnostics}", () => {
    const more = "license: MIT\nanything: else\nmetadata:\n  requires-now: a b\n  requires-later: c\n";
    using folder = makeProject({
      [`${REPO}/one/SKILL.md`]: skillText("one", "Use when: asked.", more),
      [`${REPO}/one/references/guide.md`]: "Guide",
      [`${REPO}/one/escape`]: { link: "/etc/passwd" },
    });
    const { code, stderr, json } = knack(folder, ["show", "one", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const shown = json();
    expect(Object.keys(shown)).toEqual(["skill", "files", "edges", "diagnostics"]);
    expect(shown.skill).toMatchObject({
      name: "one",
      path: folder.at(REPO, "one/SKILL.md"),
      license: "MIT",
      frontmatter: { anything: "else" },
    });
    expect(shown.files).toEqual([folder.at(REPO, "one/references/guide.md")]);
    expect(shown.edges).toMatchObject([
      { to: "a", type: "requires_now" },
      { to: "b", type: "requires_now" },
      { to: "c", type: "requires_later" },
    ]);
    expect(shown.diagnostics).toMatchObject([
      { code: "W_YAML_REPAIRED", line: 3 },
      { code: "E_PATH_ESCAPE" },
    ]);
  });

  it("says how many files the limits leave out, the largest by name", () => {
    using folder = makeProject({
      [`${REPO}/one/SKILL.md`]: skillText("one"),
      [`${REPO}/one/small.md`]: "x",
      [`${REPO}/one/data/huge.bin`]: "x".repeat(3000),
      "repo/.knack/config.yaml": "skills: { files: { maxBytes: 1000 } }\n",
    });
    const { files, diagnostics } = knack(folder, ["show", "one", "--json"]).json();
    expect(files).toEqual([folder.at(REPO, "one/small.md")]);
    const message = expect.stringContaining("data/huge.bin (3000 bytes)");
    expect(diagnostics).toEqual([{ path: folder.at(REPO, "one"), code: "W_FILES_LIMIT", message }]);
    expect(knack(folder, ["show", "one"]).stdout).toContain("W_FILES_LIMIT");
  });

  it("takes a name, a folder, a SKILL.md or an id, and prints neither body nor colour", () => {
    using folder = makeProject();
    const byName = knack(folder, ["show", "good"]);
    expect(byName.code).toBe(0);
    expect(byName.stdout).toContain("Does good.");
    expect(byName.stdout).not.toMatch(/\u001b|# good/);
    const { id } = knack(folder, ["show", "good", "--json"]).json().skill;
    for (const reference of [".agents/skills/good", folder.at(REPO, "good/SKILL.md"), id]) {
      expect(knack(folder, ["show", reference]).stdout).toBe(byName.stdout);
    }
    const options = { cwd: "repo/.agents" };
    expect(knack(folder, ["show", "skills/good"], options).stdout).toBe(byName.stdout);
  });

  it("shows a skill that cannot be used, with the reason", () => {
    using folder = makeProject();
    expect(knack(folder, ["show", "off"]).stdout).toMatch(/status +disabled: .*skills\.disabled/);
    const { skill, diagnostics } = knack(folder, ["show", "never", "--json"]).json();
    expect(skill).toMatchObject({ status: "ineligible", reason: expect.stringContaining("teleport") });
    expect(diagnostics).toMatchObject([{ code: "E_INELIGIBLE" }]);
  });

  it("says of a skill that was left out why, with file and line", () => {
    using folder = makeProject();
    for (const reference of ["bad", ".agents/skills/bad", ".agents/skills/bad/SKILL.md"]) {
      const { code, stdout, stderr } = knack(folder, ["show", reference]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(`${folder.at(REPO, "bad/SKILL.md")}:2: `);
    }
  });

  it("refuses an ambiguous name with the candidates", () => {
    using folder = makeProject({ [`${HOME}/good/SKILL.md`]: skillText("good") });
    const candidates = [folder.at(REPO, "good/SKILL.md"), folder.at(HOME, "good/SKILL.md")];
    const { code, stdout, stderr } = knack(folder, ["show", "good"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    for (const path of candidates) expect(stderr).toContain(path);
    const json = knack(folder, ["show", "good", "--json"]);
    expect(json).toMatchObject({ code: 1, stderr: "" });
    expect(json.json()).toEqual({ error: { code: "AMBIGUOUS", message: expect.any(String), candidates } });
  });

  it("refuses a name that nothing has, without a stack", () => {
    using folder = makeProject();
    const { code, stdout, stderr } = knack(folder, ["show", "nothing"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .*"nothing".*knack list/);
    expect(stderr).not.toMatch(/\n\s+at /);
    const { error } = knack(folder, ["show", "nothing", "--json"]).json();
    expect(error).toEqual({ code: "NOT_FOUND", message: expect.any(String) });
  });

  it("without a skill, or with two, is wrong usage", () => {
    using folder = makeProject();
    expect(knack(folder, ["show"])).toMatchObject({ code: 2, stdout: "" });
    expect(knack(folder, ["show", "good", "mine"])).toMatchObject({ code: 2, stdout: "" });
  });
});
