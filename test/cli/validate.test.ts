import { chmodSync, linkSync, lstatSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { HOME, knack, makeProject, REPO } from "./run.ts";
import { TerminalWindow } from "./terminal-window.ts";

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
    ["several paths, of which one is invalid", ".agents/skills/good .agents/skills/bad", 1, 2],
  ])("takes %s", (_, paths, code, checked) => {
    using folder = makeProject();
    const outcome = knack(folder, ["validate", ...paths.split(" "), "--json"]);
    expect(outcome.code).toBe(code);
    expect(outcome.json().checked).toBe(checked);
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

interface Report {
  readonly checked: number;
  readonly fixed: readonly { path: string; code: string; from?: string; to?: string; used_by?: string[] }[];
  readonly fixable?: Report["fixed"];
  readonly errors: readonly { code: string }[];
  readonly warnings: readonly { code: string }[];
}

const WRONG = "---\r\nname: Old Name\r\ndescription: Use when: asked\r\n---\r\n# name: x\r\nlast line";
const RIGHT = "---\r\nname: a\r\ndescription: 'Use when: asked'\r\n---\r\n# name: x\r\nlast line";

function makeWrong(files: Parameters<typeof makeFolder>[0] = {}): Folder {
  return makeFolder({
    "repo/.git/": "",
    [`${REPO}/a/SKILL.md`]: WRONG,
    [`${REPO}/good/SKILL.md`]: skillText("good"),
    ...files,
  });
}
const fix = (folder: Folder, ...args: string[]) => knack(folder, ["validate", "--fix", ...args]);
const report = (folder: Folder, ...args: string[]): Report =>
  fix(folder, "--json", ...args).json() as unknown as Report;
const text = (folder: Folder, name = "a"): string => readFileSync(folder.at(REPO, name, "SKILL.md"), "utf8");
const codes = (list: readonly { code: string }[]): string[] => list.map(({ code }) => code);

describe("knack validate --fix", () => {
  it("shows the changes, and changes nothing where nobody can be asked", () => {
    using folder = makeWrong();
    const { code, stdout, stderr } = fix(folder);
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        "--- .agents/skills/a/SKILL.md",
        "+++ .agents/skills/a/SKILL.md",
        "@@ -1,6 +1,6 @@",
        " ---",
        "-name: Old Name",
        "-description: Use when: asked",
        "+name: a",
        "+description: 'Use when: asked'",
        " ---",
        " # name: x",
        " last line",
        "",
      ].join("\n"),
    );
    expect(stderr).toContain("Nothing was changed. To fix 3 problems in 1 file, add --yes");
    expect(text(folder)).toBe(WRONG);
  });

  it("--yes writes them, and no other byte; a second time there is nothing to fix", () => {
    using folder = makeWrong();
    chmodSync(folder.at(REPO, "a/SKILL.md"), 0o640);
    const { code, stderr } = fix(folder, "--yes");
    expect(code).toBe(0);
    expect(stderr).toContain("fixed: 3 problems in 1 file\nvalid: 2 skills checked, 0 errors, 0 warnings");
    expect(text(folder)).toBe(RIGHT);
    expect(statSync(folder.at(REPO, "a/SKILL.md")).mode & 0o777).toBe(0o640);
    expect(fix(folder, "--yes")).toMatchObject({ code: 0, stdout: "" });
    expect(text(folder)).toBe(RIGHT);
  });

  it("--json is {checked, fixed, errors, warnings}, with what is left", () => {
    using folder = makeWrong({ [`${REPO}/Bad/SKILL.md`]: skillText("Bad") });
    const { checked, fixed, errors, warnings } = report(folder, "--yes");
    expect(checked).toBe(3);
    expect(codes(fixed)).toEqual(["W_YAML_REPAIRED", "E_NAME_INVALID", "E_NAME_DIR_MISMATCH"]);
    expect(fixed[2]).toMatchObject({ path: folder.at(REPO, "a/SKILL.md"), from: "Old Name", to: "a" });
    expect(codes(errors)).toEqual(["E_NAME_INVALID"]);
    expect(warnings).toEqual([]);
    expect(fix(folder, "--yes").stderr).toContain("None of these problems has one safe fix");
  });

  it("--dry-run shows what can be fixed, with --yes too: exit code 1", () => {
    using folder = makeWrong();
    const { fixed, fixable } = report(folder, "--dry-run", "--yes");
    expect(fixed).toEqual([]);
    expect(codes(fixable ?? [])).toContain("W_YAML_REPAIRED");
    const { code, stdout, stderr } = fix(folder, "--dry-run");
    expect(code).toBe(1);
    expect(stdout).toContain("+name: a");
    expect(stderr).toContain("3 problems in 1 file can be fixed. Nothing was changed.");
    expect(text(folder)).toBe(WRONG);
    expect(fix(folder, "--dry-run", ".agents/skills/good")).toMatchObject({ code: 0, stdout: "" });
    expect(knack(folder, ["validate", "--yes"])).toMatchObject({ code: 2 });
  });

  it("names the skills that use a name that changes", () => {
    using folder = makeWrong({
      [`${REPO}/b/SKILL.md`]: skillText("old-b"),
      [`${REPO}/user/SKILL.md`]: `${skillText("user")}\nYou MUST use the \`old-b\` skill first.\n`,
    });
    const { stderr } = fix(folder, "--dry-run");
    expect(stderr).toContain("old-b becomes b, but user still uses the old name.");
    expect(stderr).toContain("2 skills get a new name. Other skills, prompts and permission rules");
    expect(report(folder, "--yes").fixed).toContainEqual(
      expect.objectContaining({ from: "old-b", to: "b", used_by: ["user"] }),
    );
  });

  it("says where another skill has the new name already", () => {
    using folder = makeWrong({ [`${HOME}/a/SKILL.md`]: skillText("a") });
    expect(fix(folder, "--dry-run").stderr).toContain("Another skill is called a, too; use their paths");
  });

  it("keeps the name of a skill that loads, unless it is named", () => {
    using folder = makeWrong({
      "home/.knack/config.yaml": "skills: { validation: lenient }\n",
      [`${REPO}/a/SKILL.md`]: skillText("other"),
    });
    expect(report(folder, "--yes")).toMatchObject({ fixed: [], warnings: [{ code: "W_NAME_DIR_MISMATCH" }] });
    expect(text(folder)).toBe(skillText("other"));
    expect(codes(report(folder, "--yes", ".agents/skills/a").fixed)).toEqual(["W_NAME_DIR_MISMATCH"]);
  });

  it("does not rename in a root whose skills may have another name than their folder", () => {
    using folder = makeWrong({
      "repo/skills/a/SKILL.md": skillText("b", "Use when: asked"),
      "repo/skills/bare/SKILL.md": "# Bare\n",
    });
    fix(folder, "--yes", "skills");
    expect(readFileSync(folder.at("repo/skills/a/SKILL.md"), "utf8")).toBe(
      skillText("b", "'Use when: asked'"),
    );
    expect(readFileSync(folder.at("repo/skills/bare/SKILL.md"), "utf8")).toBe("# Bare\n");
  });

  it("writes through no link: neither a linked folder, nor a linked file, nor a second name", () => {
    using folder = makeWrong({
      "outside/b/SKILL.md": skillText("other"),
      "outside/c.md": skillText("other"),
      "outside/d.md": skillText("other"),
      [`${HOME}/b`]: { link: "../../../outside/b" },
      [`${HOME}/c/SKILL.md`]: { link: "../../../../outside/c.md" },
      [`${HOME}/d/`]: "",
    });
    linkSync(folder.at("outside/d.md"), folder.at(HOME, "d/SKILL.md"));
    expect(new Set(report(folder, "--yes").fixed.map(({ path }) => path))).toEqual(
      new Set([folder.at(REPO, "a/SKILL.md")]),
    );
    for (const file of ["b/SKILL.md", "c.md", "d.md"])
      expect(readFileSync(folder.at("outside", file), "utf8")).toBe(skillText("other"));
    expect(lstatSync(folder.at(HOME, "c/SKILL.md")).isSymbolicLink()).toBe(true);
    // Who names the folder itself means it.
    expect(report(folder, "--yes", "../outside/b").fixed).toHaveLength(1);
  });

  it("leaves extensions and plugins to the agent that installed them, unless they are named", () => {
    const broken = "---\nname: a\ndescription: Use when: asked.\n---\n";
    const file = "home/.gemini/extensions/e/skills/a/SKILL.md";
    using folder = makeFolder({
      "repo/.git/": "",
      "home/.gemini/extensions/e/gemini-extension.json": '{"name":"e"}',
      [file]: broken,
    });
    knack(folder, ["validate", "--fix", "--yes"]);
    expect(readFileSync(folder.at(file), "utf8")).toBe(broken);
    knack(folder, ["validate", "--fix", "--yes", folder.at("home/.gemini/extensions/e")]);
    expect(readFileSync(folder.at(file), "utf8")).not.toBe(broken);
  });

  it("does not leave the project through a linked root, trusted or not", () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "outside/a/SKILL.md": skillText("other"),
      "repo/.agents/skills": { link: "../../outside" },
    });
    expect(report(folder, "--yes").fixed).toEqual([]);
    expect(knack(folder, ["trust", "--yes"]).code).toBe(0);
    const { fixed, errors } = report(folder, "--yes");
    expect([fixed.length, codes(errors)]).toEqual([0, ["E_NAME_DIR_MISMATCH"]]);
    expect(readFileSync(folder.at("outside/a/SKILL.md"), "utf8")).toBe(skillText("other"));
  });

  it.skipIf(process.getuid?.() === 0)(
    "fixes the other files where one cannot be written, and says why",
    () => {
      using folder = makeWrong({ [`${REPO}/b/SKILL.md`]: skillText("other") });
      chmodSync(folder.at(REPO, "b"), 0o500);
      const { code, stderr } = fix(folder, "--yes");
      chmodSync(folder.at(REPO, "b"), 0o700);
      expect(code).toBe(1);
      expect(stderr).toContain("cannot be written");
      expect(text(folder)).toBe(RIGHT);
    },
  );

  it("never prints a control character of a skill raw", () => {
    using folder = makeWrong({
      [`${REPO}/x/SKILL.md`]: '---\nname: "a\\e[2J"\ndescription: d \u001b[31m\u202e: x\n---\n',
    });
    const { stdout, stderr } = fix(folder, "--dry-run");
    expect(stdout).toContain("x/SKILL.md");
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe("knack validate without --fix", () => {
  it("says how many problems can be fixed, and the command", () => {
    using folder = makeWrong({ [`${REPO}/Bad one/SKILL.md`]: skillText("Bad one") });
    expect(knack(folder, ["validate"]).stderr).toMatch(/\n3 problems can be fixed: knack validate --fix\n$/);
    expect(knack(folder, ["validate", ".agents/skills/a"]).stderr).toMatch(
      /\n3 problems can be fixed: knack validate --fix \.agents\/skills\/a\n$/,
    );
    expect(knack(folder, ["validate", ".agents/skills/Bad one"]).stderr).not.toContain("--fix");
  });
});

describe("on a terminal", () => {
  it("asks, and changes nothing after no", async () => {
    using folder = makeWrong();
    using window = new TerminalWindow(folder);
    window.run("knack validate --fix; echo code $?");
    await window.shows("Fix 3 problems in 1 file?");
    window.type("n");
    await window.shows(/Nothing was changed\.[\s\S]*code 1/);
    expect(text(folder)).toBe(WRONG);
    await window.clear();
    window.run("knack validate --fix; echo code $?");
    await window.shows("Fix 3 problems in 1 file?");
    window.press("Enter");
    await window.shows(/fixed: 3 problems in 1 file[\s\S]*code 0/);
    expect(text(folder)).toBe(RIGHT);
  });

  it("keeps what somebody wrote while the question was open", async () => {
    using folder = makeWrong();
    using window = new TerminalWindow(folder, { columns: 160 });
    window.run("knack validate --fix; echo code $?");
    await window.shows("Fix 3 problems in 1 file?");
    folder.write({ [`${REPO}/a/SKILL.md`]: `${WRONG} and more` });
    window.press("Enter");
    await window.shows(/has changed in the meantime[\s\S]*code 1/);
    expect(text(folder)).toBe(`${WRONG} and more`);
  });
});
