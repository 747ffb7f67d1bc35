import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { skillCatalogSchema } from "../../packages/core/src/skill/schema.ts";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { environment, HOME, knack, makeProject, PROGRAM, REPO } from "./run.ts";

const ESCAPE = "\u001b";
/** Characters that control a terminal or hide text; line ends are part of the layout. */
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]|[\u{e0000}-\u{e007f}]/u;

describe("knack list", () => {
  it("prints the catalog on standard output, everything else on standard error, and no colour", () => {
    using folder = makeProject();
    const { code, stdout, stderr } = knack(folder, ["list"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      "NAME  SCOPE  DESCRIPTION\ngood  repo   Does good.\nmine  user   Does mine. Use when asked for mine.\n",
    );
    expect(stderr).toContain("2 skills");
    expect(stdout + stderr).not.toContain(ESCAPE);
  });

  it("prints nothing on standard output where there is nothing", () => {
    using folder = makeFolder({ "repo/.git/": "" });
    const { code, stdout, stderr } = knack(folder, ["list"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe(
      "No skills found. Create one: knack new <name>. See where Knack looks: knack doctor\n",
    );
  });

  it("ends with what was left out, a line each, with the command that shows why", () => {
    using folder = makeProject({
      "repo/skills/a/SKILL.md": skillText("same"),
      "repo/skills/b/SKILL.md": skillText("same"),
      "home/.agents/skills/broken": { link: "nowhere" },
    });
    expect(knack(folder, ["list"]).stderr.split("\n")).toEqual([
      "3 skills",
      "1 skill left out, 1 path not searched. See why: knack validate",
      "3 skills inactive: 1 disabled, 1 ineligible, 1 shadowed. See why: knack list --all",
      "2 skills of this project are hidden from agents until you trust it: knack trust",
      "",
    ]);
    const user = knack(folder, ["list", "--scope", "user"]).stderr;
    expect(user).toBe("1 skill\n1 path not searched. See why: knack validate\n");
    const all = knack(folder, ["list", "--all"]).stderr;
    expect(all).toContain("6 skills\n1 skill left out");
    expect(all).not.toContain("--all");
  });

  it("says nothing more where everything is listed and trusted", () => {
    using folder = makeFolder({ "repo/.git/": "", [`${REPO}/good/SKILL.md`]: skillText("good") });
    expect(knack(folder, ["trust", "--yes"]).code).toBe(0);
    expect(knack(folder, ["list"]).stderr).toBe("1 skill\n");
  });

  it("--json is a SkillCatalog, and skills that were left out are no failure", () => {
    using folder = makeProject();
    const outcome = knack(folder, ["list", "--json"]);
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    const catalog = outcome.json();
    expect(Object.keys(catalog)).toEqual(["skills", "errors", "warnings", "truncated", "snapshot_version"]);
    expect(skillCatalogSchema.strict().parse(catalog)).toEqual(catalog);
    expect(catalog).toMatchObject({
      skills: [
        { name: "good", scope: "repo" },
        { name: "mine", scope: "user" },
      ],
      truncated: false,
      snapshot_version: 1,
    });
    expect(catalog.errors).toContainEqual({
      path: folder.at(REPO, "bad/SKILL.md"),
      code: "E_NAME_INVALID",
      message: expect.any(String),
      line: 2,
    });
    expect(catalog.errors).toContainEqual(expect.objectContaining({ code: "E_INELIGIBLE" }));
  });

  it("an empty SKILL.md hides no other skill: list 0, validate 1", () => {
    using folder = makeFolder({
      "repo/.git/": "",
      [`${REPO}/empty/SKILL.md`]: "",
      [`${REPO}/good/SKILL.md`]: skillText("good"),
    });
    const { code, json } = knack(folder, ["list", "--json"]);
    expect(code).toBe(0);
    expect(json()).toMatchObject({ skills: [{ name: "good" }], errors: [{ code: "E_FM_MISSING" }] });
    expect(knack(folder, ["validate"]).code).toBe(1);
  });

  it("--all and show say that a skill is denied, and by which rule", () => {
    using folder = makeProject();
    knack(folder, ["deny", "good"]);
    const { skills } = knack(folder, ["list", "--all", "--json"]).json();
    const denied = {
      status: "denied",
      reason: expect.stringContaining('permissions.deny { tool: skill_load, skill_name: "'),
    };
    expect(skills.find(({ name }) => name === "good")).toMatchObject(denied);
    expect(knack(folder, ["show", "good", "--json"]).json().skill).toMatchObject(denied);
    expect(knack(folder, ["list", "--all"]).stdout).toMatch(/^good +repo +denied +\(.*permissions\.deny/m);
    expect(knack(folder, ["show", "good"]).stdout).toMatch(/^status +denied: .*permissions\.deny/m);
  });

  it("--all adds disabled, ineligible and shadowed skills with the reason", () => {
    using folder = makeProject({
      "repo/skills/a/SKILL.md": skillText("same"),
      "repo/skills/b/SKILL.md": skillText("same"),
    });
    const { skills } = knack(folder, ["list", "--all", "--json"]).json();
    const of = (name: string) => skills.find(({ dir }) => dir.endsWith(`/${name}`));
    expect(of("good")).toMatchObject({ status: "active", reason: "" });
    expect(of("off")).toMatchObject({
      status: "disabled",
      reason: expect.stringContaining("skills.disabled"),
    });
    expect(of("never")).toMatchObject({ status: "ineligible", reason: expect.stringContaining("teleport") });
    expect(of("a")).toMatchObject({
      status: "shadowed",
      reason: expect.stringContaining("skills/b/SKILL.md"),
    });
    expect(knack(folder, ["list", "--all"]).stdout).toMatch(/never +repo +ineligible +\(.*teleport/);
  });

  it("--scope shows one scope, and refuses what is none", () => {
    using folder = makeProject();
    const { skills } = knack(folder, ["list", "--json", "--scope", "user"]).json();
    expect(skills).toMatchObject([{ name: "mine" }]);
    const wrong = knack(folder, ["list", "--scope", "workspace"]);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("repo, user, bundled");
  });

  it("--cwd works as if started there", () => {
    using folder = makeProject({
      "other/.git/": "",
      "other/.agents/skills/there/SKILL.md": skillText("there"),
    });
    for (const path of [folder.at("other"), "../other"]) {
      const { skills } = knack(folder, ["list", "--json", "--cwd", path]).json();
      expect(skills).toMatchObject([{ name: "there" }, { name: "mine" }]);
    }
    expect(knack(folder, ["--cwd", "../other", "list"]).stdout).toContain("there");
    expect(knack(folder, ["list", "--cwd", "../nowhere"])).toMatchObject({ code: 2, stdout: "" });
  });

  it("says the same the second time, from the index", () => {
    using folder = makeProject();
    expect(knack(folder, ["list", "--json"]).stdout).toBe(knack(folder, ["list", "--json"]).stdout);
  });

  it("never prints a control character of a skill raw", () => {
    const hostile = "a\\e[31mred\\a\\x7f\\x9b2J\\u202egnp\\u2028\\U000E0041";
    using folder = makeFolder({
      "repo/.git/": "",
      "home/.knack/config.yaml": "skills: { validation: lenient }\n",
      [`${REPO}/x/SKILL.md`]: `---\nname: "n${hostile}"\ndescription: "d${hostile}"\n---\n`,
      [`${REPO}/\u001b[2J/SKILL.md`]: skillText("y"),
    });
    const commands = [
      ["list"],
      ["list", "--json"],
      ["list", "--all"],
      ["validate"],
      ["doctor"],
      ["show", ".agents/skills/x"],
    ];
    for (const args of commands) {
      const { stdout, stderr } = knack(folder, args);
      expect(stdout + stderr).not.toMatch(RAW);
    }
    expect(knack(folder, ["list"]).stdout).toContain("na\\x1b[31mred");
    const { skills } = knack(folder, ["list", "--json"]).json();
    expect(skills).toContainEqual(
      expect.objectContaining({ name: expect.stringContaining(`na${ESCAPE}[31mred`) }),
    );
  });

  it("ends quietly where its reader has gone", () => {
    using folder = makeFolder({ "repo/.git/": "" });
    for (let i = 0; i < 400; i++) {
      folder.write({ [`${REPO}/s-${i}/SKILL.md`]: skillText(`s-${i}`, "Does it. ".repeat(100)) });
    }
    const program = `"${process.execPath}" "${PROGRAM}"`;
    const shell = `${program} list --json | head -c 1; ${program} --help | head -1; ${program} run --help | true`;
    const options = { cwd: folder.at("repo"), env: environment(folder), encoding: "utf8" } as const;
    const { stdout, stderr } = spawnSync("sh", ["-c", shell], options);
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^\{Usage: knack/), stderr: "" });
  });

  it("does not stop at a registry that cannot be read", () => {
    using folder = makeProject({
      "repo/skills/registry.yaml/": "",
      [`${HOME}/dispatch/SKILL.md`]: skillText("dispatch", "d", "command_tool: file_fingerprint\n"),
    });
    const { code, stdout } = knack(folder, ["list"]);
    expect(code).toBe(0);
    expect(stdout).toContain("good");
    expect(stdout).toContain("dispatch");
  });
});

const files = {
  "repo/.git/": "",
  "repo/.agents/skills/notes/SKILL.md": skillText("notes", "Draft release notes\\e[31m from commits."),
  "home/.agents/skills/kaji/SKILL.md": skillText("kaji", "文書をレビューする"),
};

describe("knack search", () => {
  it("--json is {results, count, fitting, truncated}, each with skill, score, reason, fits", () => {
    using folder = makeFolder(files);
    const { code, json } = knack(folder, ["search", "release", "notes", "--json"]);
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      count: 1,
      fitting: 1,
      truncated: false,
      results: [
        { skill: { name: "notes" }, reason: "token_overlap", matched: ["release", "notes"], fits: true },
      ],
    });
  });

  it("finds Japanese, filters by scope, and finding nothing is exit 0", () => {
    using folder = makeFolder(files);
    expect(knack(folder, ["search", "レビュー"]).stdout).toContain("kaji");
    expect(knack(folder, ["search", "レビュー", "--scope", "repo", "--json"]).json()).toMatchObject({
      results: [],
    });
    const nothing = knack(folder, ["search", "xyzzy"]);
    expect(nothing).toMatchObject({ code: 0, stdout: "Nothing fits.\n", stderr: "" });
  });

  it("shows which word was taken for a mistyped one", () => {
    using folder = makeFolder(files);
    expect(knack(folder, ["search", "relaese", "--json"]).json()).toMatchObject({
      results: [{ skill: { name: "notes" }, reason: "token_overlap", matched: ["relaese→release"] }],
    });
    expect(knack(folder, ["search", "relaese"]).stdout).toContain("relaese→release");
  });

  it("says that nothing fits, with the nearest below", () => {
    using folder = makeFolder(files);
    const words = [
      "my sourdough starter smells of acetone, are the notes in my baking book wrong about rye flour?",
    ];
    const nothing = knack(folder, ["search", ...words]);
    expect(nothing.code).toBe(0);
    expect(nothing.stdout).toMatch(/^Nothing fits\. Nearest:\nNAME .*\nnotes /);
    expect(knack(folder, ["search", ...words, "--json"]).json()).toMatchObject({
      count: 1,
      fitting: 0,
      results: [{ skill: { name: "notes" }, fits: false }],
    });
  });

  it("--also finds what the query in another language does not, and may be repeated", () => {
    using folder = makeFolder(files);
    const query = ["search", "發行說明", "--json"];
    expect(knack(folder, query).json()).toMatchObject({ fitting: 0 });
    const also = ["--also", "bake a cake", "--also", "draft the release notes"];
    expect(knack(folder, [...query, ...also]).json()).toMatchObject({
      results: [{ skill: { name: "notes" }, fits: true }],
    });
    const many = Array.from({ length: 5 }, (_, at) => ["--also", `words ${at}`]).flat();
    const refused = knack(folder, [...query, ...many]);
    expect(refused.code).toBe(2);
    expect(refused.stderr + refused.stdout).toContain("At most 4 other phrasings");
  });

  it("shows what fits first, then weaker matches below a line", () => {
    using folder = makeFolder({
      ...files,
      "repo/.agents/skills/hikes/SKILL.md": skillText(
        "hikes",
        "Plan hikes in the mountains and draft a route.",
      ),
    });
    const { stdout, stderr } = knack(folder, ["search", "draft the release notes from these commits"]);
    expect(stdout).toMatch(/^NAME .*\nnotes .*\nWeaker matches:\nhikes /);
    expect(stderr).toContain("1 skill fits");
  });

  it("a wrong limit is wrong usage", () => {
    using folder = makeFolder(files);
    expect(knack(folder, ["search", "x", "--limit", "many"]).code).toBe(2);
    expect(knack(folder, ["search", "x", "--limit", "0"]).code).toBe(2);
    // One reader for every --limit: as "knack runs" refuses it.
    expect(knack(folder, ["search", "x", "--limit", "1e2"]).code).toBe(2);
    expect(knack(folder, ["search"]).code).toBe(2);
  });
});
