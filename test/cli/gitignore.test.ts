import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { knack, TRUST } from "./run.ts";
import { makeTypedProject } from "./typed-skills.ts";

/** A project in a real repository, everything in it committed. */
function makeRepository(more: Parameters<typeof makeTypedProject>[0] = {}): Folder {
  const folder = makeTypedProject({
    "repo/.agents/skills/good/SKILL.md": "---\nname: good\ndescription: d\n---\n",
    ...more,
  });
  git(folder, "init", "-q");
  git(folder, "add", "-A");
  git(folder, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "all");
  return folder;
}

function git(folder: Folder, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: folder.at("repo"),
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: folder.at("home") },
  });
}

const status = (folder: Folder): string => git(folder, "status", "--porcelain", "--untracked-files=all");

describe("a user's repository", () => {
  it("has nothing untracked after runs: not artifacts, not the .gitignore itself", () => {
    using folder = makeRepository();
    expect(knack(folder, ["run", "text_extract", "a.md"], TRUST).code).toBe(0);
    expect(knack(folder, ["load", "good"], TRUST).code).toBe(0);
    expect(status(folder)).toBe("");
  });

  it("can commit its configuration", () => {
    using folder = makeRepository();
    expect(knack(folder, ["disable", "good", "--project"], TRUST).code).toBe(0);
    folder.write({ "repo/.knack/config.yaml.lock": "" });
    expect(status(folder)).toBe("?? .knack/config.yaml\n");
  });

  it("keeps a .gitignore of its own, and one that is a link is not followed", () => {
    using folder = makeRepository({
      "repo/.knack/.gitignore": "state.db*\n",
      "repo/workspace/artifacts/.gitignore": "!*\n",
    });
    expect(knack(folder, ["run", "text_extract", "a.md"], TRUST).code).toBe(0);
    expect(knack(folder, ["disable", "good", "--project"], TRUST).code).toBe(0);
    expect(readFileSync(folder.at("repo/.knack/.gitignore"), "utf8")).toBe("state.db*\n");
    expect(readFileSync(folder.at("repo/workspace/artifacts/.gitignore"), "utf8")).toBe("!*\n");

    using linked = makeRepository({ victim: "mine", "repo/.knack/.gitignore": { link: "../../victim" } });
    expect(knack(linked, ["disable", "good", "--project"], TRUST).code).toBe(0);
    expect(readFileSync(linked.at("victim"), "utf8")).toBe("mine");
    expect(lstatSync(linked.at("repo/.knack/.gitignore")).isSymbolicLink()).toBe(true);

    using dangling = makeRepository({ "repo/.knack/.gitignore": { link: "../../nobody" } });
    expect(knack(dangling, ["disable", "good", "--project"], TRUST).code).toBe(0);
    expect(lstatSync(dangling.at("nobody"), { throwIfNoEntry: false })).toBeUndefined();
  });
});
