import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/index.ts";
import { knack } from "./run.ts";

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
      "repo/.agents/skills/hikes/SKILL.md": skillText("hikes", "Plan hikes in the mountains from huts."),
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
