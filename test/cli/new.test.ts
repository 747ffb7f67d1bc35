import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { knack, REPO } from "./run.ts";

describe("knack new", () => {
  it("writes a valid skill to .agents/skills at the project root and prints its path", () => {
    using folder = makeFolder({ "repo/.git/": "", "repo/sub/": "" });
    const { code, stdout } = knack(folder, ["new", "release-notes"], { cwd: "repo/sub" });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${folder.at(REPO, "release-notes/SKILL.md")}\n` });
    const { checked, errors, warnings } = knack(folder, ["validate", "--json"]).json();
    expect({ checked, errors, warnings }).toEqual({ checked: 1, errors: [], warnings: [] });
  });

  it("--json is {name, path}", () => {
    using folder = makeFolder({ "repo/.git/": "" });
    const outcome = knack(folder, ["new", "a", "--json"]);
    expect(outcome.json()).toEqual({ name: "a", path: folder.at(REPO, "a/SKILL.md") });
  });

  it.each([
    "Plain words.",
    "Quotes \"double\" and 'single', a colon: and # a hash",
    "多字节文字、日本語 and 🦀",
    "---",
    "line one\nline two\ttab",
    "\\e[31m \\x1b backslashes",
    "control \u001b[31m character",
    "line \u0085 end and \u007f delete",
    "hidden \u202e direction",
  ])("writes a valid skill with the description %j, or refuses it", (description) => {
    using folder = makeFolder({ "repo/.git/": "" });
    const { code } = knack(folder, ["new", "a", "--description", description]);
    if (code === 2) {
      expect(existsSync(folder.at(REPO, "a"))).toBe(false);
      return;
    }
    expect(code).toBe(0);
    expect(knack(folder, ["validate"])).toMatchObject({ code: 0 });
    const { skill } = knack(folder, ["show", "a", "--json"]).json();
    expect(skill.description).toBe(description.replaceAll(/\s+/g, " "));
  });

  it.each(["Bad", "a--b", "-a", "a_b", "", "a/b", "../x", ".", "x".repeat(65), "con", "nul", "com1"])(
    "refuses the name %j, which would not be valid, and writes nothing",
    (name) => {
      using folder = makeFolder({ "repo/.git/": "" });
      const { code, stdout } = knack(folder, ["new", "--", name]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(existsSync(folder.at("repo/.agents"))).toBe(false);
    },
  );

  it("refuses a description that is empty or too long", () => {
    using folder = makeFolder({ "repo/.git/": "" });
    for (const description of ["", "  ", "x".repeat(1025)]) {
      expect(knack(folder, ["new", "a", "--description", description]).code).toBe(2);
    }
  });

  it("does not touch a skill that exists", () => {
    using folder = makeFolder({ "repo/.git/": "", [`${REPO}/a/SKILL.md`]: "mine" });
    const { code, json } = knack(folder, ["new", "a", "--json"]);
    expect(code).toBe(1);
    expect(json()).toEqual({ error: { code: "CONFLICT", message: expect.stringContaining("exists") } });
    expect(readFileSync(folder.at(REPO, "a/SKILL.md"), "utf8")).toBe("mine");
  });
});
