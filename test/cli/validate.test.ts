import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { knack, makeProject, REPO } from "./run.ts";

describe("knack validate", () => {
  it("checks everything that is found, and exits with 1 where one is invalid", () => {
    using folder = makeProject();
    const { code, stdout, stderr } = knack(folder, ["validate"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\.agents\/skills\/bad\/SKILL\.md:2: error E_NAME_INVALID: /);
    expect(stderr).toMatch(/^invalid: 5 skills checked/);
    expect(stdout + stderr).not.toContain("\u001b");
  });

  it("--json is {checked, errors, warnings}; a skill that is merely ineligible is valid", () => {
    using folder = makeProject();
    const outcome = knack(folder, ["validate", "--json"]);
    expect(outcome).toMatchObject({ code: 1, stderr: "" });
    const path = folder.at(REPO, "bad/SKILL.md");
    expect(outcome.json()).toEqual({
      checked: 5,
      errors: [
        { path, code: "E_NAME_INVALID", message: expect.any(String), line: 2 },
        { path, code: "E_NAME_DIR_MISMATCH", message: expect.any(String), line: 2 },
      ],
      warnings: [],
    });
    expect(knack(folder, ["validate", ".agents/skills/never"]).code).toBe(0);
    expect(knack(folder, ["validate", ".agents/skills/off"]).code).toBe(0);
  });

  it.each([
    ["a skill's folder", ".agents/skills/good", 0, 1],
    ["a SKILL.md", ".agents/skills/good/SKILL.md", 0, 1],
    ["an invalid skill", ".agents/skills/bad", 1, 1],
    ["a folder of skills", ".agents/skills", 1, 4],
    ["a folder above", ".", 1, 4],
    ["a folder above by its full name", "../repo/", 1, 4],
  ])("takes %s", (_, path, code, checked) => {
    using folder = makeProject();
    const outcome = knack(folder, ["validate", path, "--json"]);
    expect(outcome.code).toBe(code);
    expect(outcome.json().checked).toBe(checked);
  });

  it("takes several paths, and exits with 1 where one of them is invalid", () => {
    using folder = makeProject();
    const outcome = knack(folder, ["validate", ".agents/skills/good", ".agents/skills/bad", "--json"]);
    expect(outcome.code).toBe(1);
    expect(outcome.json().checked).toBe(2);
  });

  it("reads a path outside every root as agentskills", () => {
    using folder = makeProject({
      "pack/one/SKILL.md": skillText("one"),
      "pack/two/SKILL.md": skillText("other"),
      "pack/bare/SKILL.md": "# No frontmatter\n",
    });
    expect(knack(folder, ["validate", "../pack/one"]).code).toBe(0);
    const { checked, errors } = knack(folder, ["validate", "../pack", "--json"]).json();
    expect(checked).toBe(3);
    expect(errors).toMatchObject([{ code: "E_FM_MISSING" }, { code: "E_NAME_DIR_MISMATCH" }]);
  });

  it("reads a path in a root as that root says", () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "repo/skills/plan_compiler/SKILL.md": "# Plan\n",
      "repo/skills/a/SKILL.md": skillText("b"),
    });
    for (const path of ["skills", "skills/plan_compiler", "skills/a/SKILL.md"]) {
      expect(knack(folder, ["validate", path]).code).toBe(0);
    }
  });

  it("checks what it is told to check also where skills are switched off", () => {
    using folder = makeProject({ "repo/.knack/config.yaml": "skills: { enabled: false }\n" });
    expect(knack(folder, ["validate", ".agents/skills/good"]).code).toBe(0);
    const { errors } = knack(folder, ["validate", ".agents/skills/bad", "--json"]).json();
    expect(errors).toContainEqual(expect.objectContaining({ code: "E_NAME_INVALID" }));
  });

  it("says of a folder without skills that there are none", () => {
    using folder = makeProject({ "empty/": "" });
    const { code, json } = knack(folder, ["validate", "../empty", "--json"]);
    expect(code).toBe(1);
    expect(json()).toMatchObject({
      checked: 0,
      errors: [{ path: folder.at("empty"), code: "E_SKILL_MISSING" }],
    });
  });

  it("refuses a path that does not exist, and a file that is no SKILL.md", () => {
    using folder = makeProject({ "repo/README.md": "" });
    expect(knack(folder, ["validate", "nowhere", "--json"]).json()).toMatchObject({
      error: { code: "NOT_FOUND" },
    });
    const wrong = knack(folder, ["validate", "README.md"]);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("SKILL.md");
  });

  it("loads with a remark what is only worth one: exit 0", () => {
    using folder = makeFolder({
      "repo/.git/": "",
      [`${REPO}/a/SKILL.md`]: skillText("a", "Use when: asked."),
    });
    const { code, json } = knack(folder, ["validate", "--json"]);
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      checked: 1,
      errors: [],
      warnings: [{ code: "W_YAML_REPAIRED", line: 3 }],
    });
  });
});
